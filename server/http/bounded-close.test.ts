import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import type { AppOptions } from '#server/app-options.ts'
import { openDatabase } from '#server/db/database.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

async function portalWith(options: Partial<AppOptions>) {
  const lines: string[] = []
  const portal = await startPortal({}, { report: (line) => lines.push(line), ...options })
  onTestFinished(() => portal.close())
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  return { portal, lines, port }
}

async function connect(port: number, text = '') {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  if (text) socket.write(text)
  return { socket, closed }
}

/** A request of a signed-in person whose body never ends. */
const endless = async ({ app }: Portal) =>
  `POST /api/getaccounts HTTP/1.1\r\nHost: localhost\r\nCookie: ${await signIn(app, 'ada.admin@aerodyne.example')}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`

test('closing says what it waits for, then closes the connections', async () => {
  const { portal, lines, port } = await portalWith({ patience: 300 })
  const request = await endless(portal)
  const begun = once(portal.app.server, 'request')
  const { closed } = await connect(port, request)
  await begun
  await portal.app.close()
  await closed
  expect(lines).toEqual(['Waiting for 1 open request', 'Closed without waiting any longer for 1 open request'])
})

test('closing waits for a request that ends in time', async () => {
  const { portal, lines, port } = await portalWith({ patience: 60_000 })
  const request = await endless(portal)
  const begun = once(portal.app.server, 'request')
  const { socket, closed } = await connect(port, request)
  await begun
  let answer = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    answer += piece
  })
  const closing = portal.app.close()
  socket.write('{"a": 1} ')
  await closing
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(lines).toEqual([])
})

test('closing does not wait for a connection without a request', async () => {
  const { portal, lines, port } = await portalWith({ patience: 60_000 })
  const { closed } = await connect(port)
  await portal.app.close()
  await closed
  expect(lines).toEqual([])
})

test('closing disconnects from a mail server that does not answer, and the email stays queued', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const server = await startMailServer({
    onMail: () => {
      arrive()
      return new Promise(() => {})
    },
  })
  onTestFinished(() => server.close())
  const mailer = createMailer({ mail: { smtpUrl: server.url, from: 'portal@vendor.example' }, dataDir: '/nowhere' })
  const { portal, lines } = await portalWith({ patience: 300, mailer })
  await portal.db.transaction().execute((tx) =>
    queueMail(
      tx,
      portal,
      {
        customerNumber: '100001',
        to: ['ada.admin@aerodyne.example'],
        subject: 'Never taken',
        content: { title: 'Never taken', blocks: [paragraph('Never taken')] },
      },
      'no limit',
    ),
  )
  await arrived
  await portal.app.close()
  expect(lines).toEqual(['Waiting for 1 mail being sent', 'Closed without waiting any longer for 1 mail being sent'])
  const mail = await portal.db.selectFrom('mail').selectAll().where('subject', '=', 'Never taken').executeTakeFirst()
  expect(mail).toMatchObject({ state: 'queued', attempts: 1 })
})

test('closing does not wait for a job that takes long', async () => {
  const { portal, lines } = await portalWith({ patience: 300 })
  const vic = await portal.as('vic.viewer@aerodyne.example')
  const outside = openDatabase(portal.connection)
  const holder = await outside.pool.connect()
  await holder.query('begin')
  await holder.query('lock table only usage_transaction in access exclusive mode')
  const started = await vic(startUsageExport, { body: { customerNumber: '100001' } })
  expect(started.body).toMatchObject({ status: 'SUCCESS' })
  await until(async () => {
    const { rows } = await portal.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }, 'the export never began')
  await portal.app.close()
  holder.release(true)
  await outside.db.destroy()
  expect(lines).toEqual([
    'Waiting for 1 running job (usage-export)',
    'Closed without waiting any longer for 1 running job (usage-export)',
  ])
})
