import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { setPortalAccess } from '#contract/settings/portal-access.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'

/** The real portal in a separate process, killed without warning in the middle of its work. */
const ada = { email: 'ada@aerodyne.example', role: ADMINISTRATOR }
const bob = { email: 'bob@aerodyne.example', role: VIEWER }
const SESSION = 'a-session-of-ada'

let database: Awaited<ReturnType<typeof freshDatabase>>
let portal: PortalProcess | undefined
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await db.insertInto('account').values({ customer_number: '1', name: 'Aerodyne', org_type: 'Direct' }).execute()
  await db.insertInto('contact').values({ customer_number: '1', email: ada.email, role: ADMINISTRATOR }).execute()
  const now = Date.now()
  await db
    .insertInto('session')
    .values({
      id_hash: createHash('sha256').update(SESSION).digest(),
      email: ada.email,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + 3_600_000),
    })
    .execute()
})
afterAll(async () => {
  await portal?.kill()
  await database.close()
})

async function start(smtpPort: number): Promise<PortalProcess> {
  portal = await startPortalProcess(database.connection, { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  return portal
}

async function addBob(origin: string): Promise<void> {
  const answer = await fetch(origin + setPortalAccess.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'portal',
      cookie: `session=${SESSION}`,
    },
    body: JSON.stringify({ customerNumber: '1', oldContacts: [ada], newContacts: [ada, bob] }),
  })
  expect(await answer.json()).toEqual({ status: 'SUCCESS', data: [ada, bob] })
}

/** A server that accepts connections and never answers. */
async function silentServer(port: number) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    isCalled: () => sockets.size > 0,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const mail = () =>
  database.db.selectFrom('mail').select(['state', 'attempts', 'trouble', 'message_id']).executeTakeFirstOrThrow()
const isSent = async () => (await mail()).state === 'sent'

test('an email outlives a mail server that is down, a kill before it is sent and a kill before that is recorded', async () => {
  const smtpPort = await freePort()
  const first = await start(smtpPort)
  await addBob(first.origin)
  await until(async () => (await mail()).attempts > 0, 'the mail was never tried')
  expect(await mail()).toMatchObject({ state: 'queued', trouble: expect.stringContaining('ECONNREFUSED') })

  const silent = await silentServer(smtpPort)
  await until(silent.isCalled, 'the mail was not tried again')
  await first.kill()
  await silent.close()
  expect(await mail()).toMatchObject({ state: 'queued' })

  // The mail server accepts the email of the second process, which is killed before it receives the answer.
  let second: Promise<PortalProcess> | undefined
  const server = await startMailServer({
    port: smtpPort,
    onMail: async () => {
      const victim = await second
      second = undefined
      await victim?.kill()
    },
  })
  onTestFinished(() => server.close())
  second = start(smtpPort)
  await until(() => server.mails.length === 1, 'the mail did not arrive')
  expect(server.mails[0]).toMatchObject({ to: [bob.email], source: expect.stringContaining('Aerodyne') })
  expect(await mail()).toMatchObject({ state: 'queued' })

  const third = await start(smtpPort)
  await until(isSent, 'the mail was not sent again')
  expect(await third.stop()).toBe(0)
  const { message_id } = await mail()
  expect(server.mails).toHaveLength(2)
  for (const { source } of server.mails) expect(source).toContain(`Message-ID: ${message_id}`)
})
