import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import type { Transaction } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { mailLane } from '#server/modules/messages/mail.lane.ts'
import { type Mail, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { deliverNextMessage } from '#server/outbox/deliver-message.ts'
import { requeueMessage } from '#server/outbox/outbox.queries.ts'
import { outboxWorker } from '#server/outbox/outbox-worker.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { TurnedClock } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const log = Fastify({ logger: false }).log

let database: Awaited<ReturnType<typeof freshDatabase>>
let clock: TurnedClock
beforeEach(async () => {
  database = await freshDatabase()
  clock = new TurnedClock()
  await database.db.insertInto('account').values({ customer_number: '1', name: 'Aerodyne' }).execute()
})
afterEach(() => database.close())

const config = (smtpUrl?: string, dataDir = os.tmpdir()) => ({
  ...readConfig({ PUBLIC_URL: 'https://portal.test', DEMO: '1', MAIL_FROM: 'The Portal <portal@vendor.example>' }),
  dataDir,
  mail: { smtpUrl, from: 'The Portal <portal@vendor.example>' },
})

function queue(change: Partial<Mail> = {}, also?: (tx: Transaction<DB>) => Promise<unknown>): Promise<string> {
  return database.db.transaction().execute(async (tx) => {
    const id = await queueMail(
      tx,
      { config: config(), clock },
      {
        customerNumber: '1',
        to: ['ada@aerodyne.example'],
        subject: 'Grüße, with a very long subject that does not fit into one line of a header at all, does it',
        content: { title: 'Hello', blocks: [paragraph('World')] },
        ...change,
      },
      'no limit',
    )
    await also?.(tx)
    return id
  })
}

function partsFor(smtpUrl: string) {
  const mailer = createMailer(config(smtpUrl))
  onTestFinished(() => mailer.close())
  return { db: database.db, clock, lane: mailLane(mailer), log }
}

const deliverNext = ({ lane, ...parts }: ReturnType<typeof partsFor>) => deliverNextMessage(lane, parts)

const stored = (id: string) =>
  database.db
    .selectFrom('mail as m')
    .leftJoin('outbox_message as o', (join) => join.on('o.id', '=', id))
    .select(['m.state', 'm.attempts', 'm.trouble', 'o.next_attempt_at', 'm.delivered_at'])
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow()

async function mailServer(...behavior: Parameters<typeof startMailServer>) {
  const server = await startMailServer(...behavior)
  onTestFinished(() => server.close())
  return server
}

test('an email arrives unchanged at every recipient, with its attachments', async () => {
  const server = await mailServer()
  const id = await queue({
    to: ['ada@aerodyne.example', 'bob@aerodyne.example'],
    cc: ['support@aerodyne.example'],
    attachments: [{ name: 'lizenz ä/.lic', mediaType: 'text/plain', content: Buffer.from('SERVER x\n') }],
  })
  expect(await deliverNext(partsFor(server.url))).toBe(true)
  expect(await stored(id)).toMatchObject({ state: 'sent', attempts: 1, trouble: '', next_attempt_at: null })
  expect(server.mails).toHaveLength(1)
  const [mail] = server.mails
  expect(mail?.from).toBe('portal@vendor.example')
  expect(mail?.to).toEqual(['ada@aerodyne.example', 'bob@aerodyne.example', 'support@aerodyne.example'])
  expect(mail?.source).toContain(`Message-ID: <${id}@portal.test>`)
  expect(mail?.source).toMatch(/^To: ada@aerodyne\.example, bob@aerodyne\.example\r?$/m)
  expect(mail?.source).toMatch(/^Cc: support@aerodyne\.example\r?$/m)
  expect(mail?.source).toContain('Auto-Submitted: auto-generated')
  expect(mail?.source).toMatch(/Content-Type: text\/plain; charset=utf-8[\s\S]*Content-Type: text\/html; charset=utf-8/)
  expect(mail?.source).toContain("filename*0*=utf-8''lizenz%20%C3%A4_.lic")
  expect(mail?.source).toContain(Buffer.from('SERVER x\n').toString('base64'))
})

test('an email without an account arrives too, and is in no history', async () => {
  const server = await mailServer()
  const id = await database.db.transaction().execute((tx) =>
    queueMail(
      tx,
      { config: config(), clock },
      {
        to: ['ada@aerodyne.example'],
        cc: ['bob@aerodyne.example'],
        subject: 'Hello\r\nthere',
        content: { title: 'Hello', blocks: [paragraph('World')] },
        attachments: [{ name: 'a/b.txt', mediaType: 'text/plain', content: Buffer.from([0, 255]) }],
      },
      'no limit',
    ),
  )
  const parts = partsFor(server.url)
  expect(await deliverNext(parts)).toBe(true)
  expect(await deliverNext(parts)).toBe(false)
  expect(server.mails).toMatchObject([{ to: ['ada@aerodyne.example', 'bob@aerodyne.example'] }])
  const source = server.mails[0]?.source
  expect(source).toContain(`Message-ID: <${id}@portal.test>`)
  expect(source).toContain('Subject: Hello there')
  expect(source).toContain('filename=a_b.txt')
  expect(source).toContain(Buffer.from([0, 255]).toString('base64'))
  for (const table of ['mail', 'outbox_message'] as const)
    expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('a change that is rolled back sends nothing', async () => {
  const undone = queue({}, () => Promise.reject(new Error('undone')))
  await expect(undone).rejects.toThrow('undone')
  expect(await deliverNext(partsFor('smtp://127.0.0.1:1'))).toBe(false)
})

test('a line break in a subject adds no header, and a comma in an address adds no recipient', async () => {
  const server = await mailServer()
  await queue({ subject: 'Hello\r\nBcc: eve@evil.example' })
  await queue({ to: ['ada@aerodyne.example, eve@evil.example'] })
  const parts = partsFor(server.url)
  while (await deliverNext(parts));
  expect(server.mails.flatMap((mail) => mail.to)).not.toContain('eve@evil.example')
  expect(server.mails[0]?.source).toMatch(/^Subject: Hello Bcc: eve@evil.example\r?$/m)
})

test('retries with growing pauses while the mail server is down, and delivers each email once', async () => {
  const gone = await startMailServer()
  await gone.close()
  const parts = partsFor(gone.url)
  const id = await queue()
  for (const pause of [5, 10, 20]) {
    expect(await deliverNext(parts)).toBe(true)
    const { next_attempt_at, trouble, state } = await stored(id)
    expect([state, trouble]).toEqual(['queued', expect.stringContaining('ECONNREFUSED')])
    expect(next_attempt_at?.getTime()).toBe(clock.now().getTime() + pause * SECOND)
    expect(await deliverNext(parts), 'not before its time').toBe(false)
    clock.forward(pause * SECOND)
  }
  const back = await mailServer({ port: gone.port })
  expect(await deliverNext(parts)).toBe(true)
  expect(await deliverNext(parts)).toBe(false)
  expect(back.mails).toHaveLength(1)
  expect(await stored(id)).toMatchObject({ state: 'sent', attempts: 4, trouble: '' })
})

test('an email fails visibly after four days without a mail server', async () => {
  const parts = partsFor('smtp://127.0.0.1:1')
  const id = await queue()
  clock.forward(4 * 24 * HOUR)
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'failed', next_attempt_at: null, delivered_at: null })
})

test('an email that is sent again after four days is retried for another four', async () => {
  const parts = partsFor('smtp://127.0.0.1:1')
  const id = await queue()
  clock.forward(5 * 24 * HOUR)
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'failed' })
  await database.db.transaction().execute((tx) => requeueMessage(tx, id, clock.now()))
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'queued', attempts: 1 })
  clock.forward(3 * 24 * HOUR)
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'queued', attempts: 2 })
  clock.forward(24 * HOUR)
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'failed', attempts: 3 })
})

test('an unknown recipient fails at once, a busy one is retried', async () => {
  const server = await mailServer({
    refuse: (recipient) =>
      recipient.startsWith('gone')
        ? '550 no such mailbox'
        : recipient.startsWith('full')
          ? '452 mailbox full'
          : undefined,
  })
  const parts = partsFor(server.url)
  const gone = await queue({ to: ['gone@aerodyne.example'] })
  const full = await queue({ to: ['full@aerodyne.example'] })
  const mixed = await queue({ to: ['ada@aerodyne.example', 'gone@aerodyne.example'] })
  while (await deliverNext(parts));
  expect(await stored(gone)).toMatchObject({ state: 'failed', trouble: expect.stringContaining('no such mailbox') })
  expect(await stored(full)).toMatchObject({ state: 'queued', trouble: expect.stringContaining('mailbox full') })
  expect(await stored(mixed)).toMatchObject({ state: 'sent', trouble: 'Not accepted for gone@aerodyne.example' })
  expect(server.mails).toHaveLength(1)
})

test('several processes send each email once, even to a slow mail server', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = await mailServer({ onMail: () => released })
  const ids = await Promise.all([queue(), queue(), queue()])
  const parts = partsFor(server.url)
  const other = partsFor(server.url)
  const first = deliverNext(parts)
  await until(async () => (await waiting()) > 0, 'no mail was taken')
  clock.forward(24 * HOUR)
  const others = [deliverNext(other), deliverNext(other)]
  release()
  await Promise.all([first, ...others])
  while (await deliverNext(other));
  expect(server.mails).toHaveLength(ids.length)
  expect(new Set(server.mails.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1])).size).toBe(ids.length)
})

/** Connections that hold a mail while they wait for the mail server. */
async function waiting(): Promise<number> {
  const { rows } = await database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
  )
  return rows.length
}

test('without a mail server, emails are written to the mailbox folder and marked so', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-mailbox-'))
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }))
  const parts = { db: database.db, clock, lane: mailLane(createMailer(config(undefined, folder))), log }
  const id = await queue()
  await deliverNext(parts)
  expect(await stored(id)).toMatchObject({ state: 'mailbox', trouble: '' })
  const files = await fs.readdir(path.join(folder, 'mailbox'))
  expect(files).toEqual([expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d{6}-${id}\\.eml$`))])
  expect(await fs.readFile(path.join(folder, 'mailbox', files[0] ?? ''), 'utf8')).toContain('To: ada@aerodyne.example')
})

test('delivery runs in the background, and stopping it waits for the email that is being sent', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = await mailServer({
    onMail: () => {
      arrive()
      return released
    },
  })
  const { lane, ...parts } = partsFor(server.url)
  const delivery = outboxWorker([lane], parts)
  delivery.start()
  const id = await queue()
  await arrived
  const stopped = delivery.stop()
  release()
  await stopped
  expect(await stored(id)).toMatchObject({ state: 'sent' })
})
