import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Operation } from '#contract/kit/operation.ts'
import { failedMessageList, resendMessage } from '#contract/outbox/failed-messages.ts'
import {
  type Delivery,
  type DeliveryDetails,
  deliveryList,
  getDelivery,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
  webhookList,
} from '#contract/webhooks/webhooks.ts'
import { RETRY_PAUSES } from '#domain/webhooks/attempt.ts'
import { createWebhookSender } from '#server/doors/webhook-sender.ts'
import { LEASE_TIME } from '#server/modules/webhooks/deliver-event.ts'
import { listDueEndpoints, takeLease } from '#server/modules/webhooks/leases.queries.ts'
import { WEBHOOK_SECRET } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { webhookWorker } from '#server/modules/webhooks/webhook-worker.ts'
import { webhooksModule } from '#server/modules/webhooks/webhooks.module.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import { ADA, OLIVIA } from '#server/testing/activations.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#server/testing/outside/webhook-receiver.ts'
import { type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { limit } from '#server/testing/slowness.ts'
import { until } from '#server/testing/until.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const CUSTOMER = '100001'
const OTHER = '100002'
const SECOND = 1000
const HOUR = 3600 * SECOND
const log = Fastify({ logger: false }).log

let portal: Portal
let receiver: WebhookReceiver
/** Signed in anew when the clock was turned by more than a session lives. */
const cookies = new Map<string, string>()
async function as(email: string) {
  if (!cookies.has(email)) cookies.set(email, await signIn(portal.app, email))
  return (operation: Operation, parts: CallParts) => callOperation(portal.app, operation, cookies.get(email), parts)
}
const ada = async (operation: Operation, parts: CallParts) => (await as(ADA))(operation, parts)
function forward(milliseconds: number): void {
  portal.clock.forward(milliseconds)
  cookies.clear()
}
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  portal = await startPortal({ WEBHOOK_ALLOW: receiver.host })
})
afterAll(async () => {
  await portal.close()
  await receiver.close()
})
beforeEach(async () => {
  await portal.db.deleteFrom('webhook_endpoint').execute()
  await portal.db.deleteFrom('outbox_message').execute()
  receiver.received.length = 0
})

const running: ReturnType<typeof webhookWorker>[] = []
afterEach(async () => {
  const ending = running.splice(0)
  for (const worker of ending) worker.interrupt()
  await Promise.all(ending.map((worker) => worker.stop()))
})

/** A worker as each process has one. */
async function startWorker(options: Parameters<typeof createWebhookSender>[1] = {}) {
  const { db, clock, config } = portal
  const installationSecret = await UNWRAPPED.load(db, WEBHOOK_SECRET)
  const sender = createWebhookSender(config.webhooks, { timeout: limit(1000), ...options })
  const worker = webhookWorker({ db, clock, config, log, sender, installationSecret }, 20)
  worker.start()
  running.push(worker)
  return worker
}

async function addWebhook(path: string, { url = receiver.url(path), customerNumber = CUSTOMER } = {}) {
  const person = await as(customerNumber === CUSTOMER ? ADA : OLIVIA)
  const { body } = await person(saveWebhook, { body: { customerNumber, url, events: ['contact.added'] } })
  return body.data as { id: string; secret: string }
}

async function inviteContact(email: string, customerNumber = CUSTOMER) {
  const data = { email, role: 'Viewer', by: ADA }
  await writeEvents(portal.db, customerNumber, portal.clock.now(), [{ type: 'contact.added', data }])
}

const notified = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).data.email as string)

async function deliveries(): Promise<Delivery[]> {
  const body = { customerNumber: CUSTOMER, sorting: [{ name: 'time', direction: 'asc' }] }
  return (await ada(deliveryList.page, { body })).body.data as Delivery[]
}

async function onlyDelivery(): Promise<Delivery> {
  const [delivery, ...others] = await deliveries()
  expect(others).toEqual([])
  return delivery!
}

async function attempts({ endpointId, id }: Delivery): Promise<DeliveryDetails['attempts']> {
  const { body } = await ada(getDelivery, { body: { customerNumber: CUSTOMER, endpointId, id } })
  return (body.data as DeliveryDetails).attempts
}

const reached = (condition: (delivery: Delivery) => boolean, complaint: string) =>
  until(async () => (await deliveries()).some(condition), complaint)

async function endpoints() {
  return (await ada(webhookList.page, { body: { customerNumber: CUSTOMER } })).body.data as Record<string, unknown>[]
}

async function mails() {
  return portal.db
    .selectFrom('mail')
    .select(['recipients', 'subject', 'body_text'])
    .where('subject', 'like', '%webhook%')
    .execute()
}

test('an event is delivered once, signed as Standard Webhooks says, and both sides are in the log', async () => {
  const { secret } = await addWebhook('/well')
  await inviteContact('one@aerodyne.example')
  await startWorker()
  await reached(({ state }) => state === 'delivered', 'the event is not delivered')
  const [received, ...more] = receiver.at('/well')
  expect(more).toEqual([])
  vi.useFakeTimers({ toFake: ['Date'], now: portal.clock.now() })
  onTestFinished(() => void vi.useRealTimers())
  expect(new Webhook(secret).verify(received!.body, { ...received!.headers })).toMatchObject({ type: 'contact.added' })
  const delivery = await onlyDelivery()
  expect(received!.headers['webhook-id']).toBe(delivery.id)
  expect(delivery).toMatchObject({ attempts: 1, status: 200, trouble: '', nextAttemptAt: null })
  expect(await attempts(delivery)).toEqual([
    {
      number: 1,
      time: portal.clock.now().toISOString(),
      milliseconds: expect.any(Number),
      status: 200,
      trouble: '',
      requestHeaders: expect.objectContaining({
        'webhook-id': delivery.id,
        'webhook-signature': received!.headers['webhook-signature'],
      }),
      responseHeaders: expect.objectContaining({ connection: expect.any(String) }),
      responseBody: 'thanks',
    },
  ])
})

test('two secrets sign for a day after a new one was made', async () => {
  const { id, secret } = await addWebhook('/rotated')
  const { body } = await ada(rotateWebhookSecret, { body: { customerNumber: CUSTOMER, id } })
  const { secret: next } = body.data as { secret: string }
  await startWorker()
  await inviteContact('during@aerodyne.example')
  await until(() => receiver.at('/rotated').length === 1, 'nothing came')
  forward(25 * HOUR)
  await inviteContact('after@aerodyne.example')
  await until(() => receiver.at('/rotated').length === 2, 'nothing came')
  const [during, after] = receiver.at('/rotated')
  const verify = (key: string, one: typeof during) => {
    vi.setSystemTime(Number(one!.headers['webhook-timestamp']) * SECOND)
    new Webhook(key).verify(one!.body, { ...one!.headers })
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  verify(secret, during)
  verify(next, during)
  verify(next, after)
  expect(() => verify(secret, after)).toThrow()
})

test('an endpoint that fails and recovers gets the event with the same id, and each attempt is in the log', async () => {
  await addWebhook('/flaky')
  receiver.answer('/flaky', { status: 500, body: 'broken' })
  await inviteContact('flaky@aerodyne.example')
  await startWorker()
  await reached(({ attempts }) => attempts === 1, 'no first attempt')
  const failed = await onlyDelivery()
  expect(failed).toMatchObject({ state: 'queued', status: 500, trouble: 'Answered 500' })
  expect(await endpoints()).toMatchObject([{ failingSince: portal.clock.now().toISOString() }])
  receiver.answer('/flaky', 'reset')
  forward(6 * SECOND)
  await reached(({ attempts }) => attempts === 2, 'no second attempt')
  receiver.answer('/flaky', { status: 204 })
  forward(6 * 60 * SECOND)
  await reached(({ state }) => state === 'delivered', 'it did not recover')
  expect((await attempts(failed)).map(({ number, status, trouble }) => [number, status, trouble])).toEqual([
    [3, 204, ''],
    [2, null, 'The connection was closed before an answer'],
    [1, 500, 'Answered 500'],
  ])
  expect(new Set(receiver.at('/flaky').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await endpoints()).toMatchObject([{ failingSince: null, isOn: true }])
})

test('an endpoint that hangs is given up after the time limit, and delays no other', async () => {
  await addWebhook('/hanging')
  await addWebhook('/quick')
  receiver.answer('/hanging', 'hang')
  await startWorker({ timeout: limit(2000) })
  for (const name of ['one', 'two', 'three']) await inviteContact(`${name}@aerodyne.example`)
  await until(() => notified('/quick').length === 3, 'the quick endpoint waits for the other')
  await until(() => notified('/hanging').length > 0, 'the hanging endpoint is not asked')
  expect(notified('/hanging')).toEqual(['one@aerodyne.example'])
  await reached(({ trouble }) => trouble === 'No answer within 15 seconds', 'nobody gave up')
})

test('an endpoint that redirects is not followed', async () => {
  await addWebhook('/moved')
  receiver.answer('/moved', { status: 302, headers: { location: receiver.url('/elsewhere') } })
  await inviteContact('moved@aerodyne.example')
  await startWorker()
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  expect(await onlyDelivery()).toMatchObject({ trouble: 'Answered 302. Redirects are not followed' })
  expect((await attempts(await onlyDelivery()))[0]?.responseHeaders.location).toBe(receiver.url('/elsewhere'))
  expect(receiver.at('/elsewhere')).toEqual([])
})

test('a public name that leads to this machine when it is looked up is refused', async () => {
  const [, port] = receiver.host.split(':')
  await addWebhook('', { url: `http://rebinding.example.com:${port}/inside` })
  await inviteContact('rebound@aerodyne.example')
  const lookups: string[] = []
  await startWorker({
    resolve: async (name) => {
      lookups.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  const delivery = await onlyDelivery()
  expect(delivery).toMatchObject({ state: 'queued', status: null, trouble: expect.stringContaining('not public') })
  expect(lookups).toEqual(['rebinding.example.com'])
  expect(receiver.received).toEqual([])
  expect(JSON.stringify(await attempts(delivery))).not.toContain('127.0.0.1')
})

test('an endpoint that answers 410 is switched off, and its administrators get a mail', async () => {
  const { id } = await addWebhook('/gone')
  receiver.answer('/gone', { status: 410 })
  await inviteContact('first@aerodyne.example')
  await inviteContact('second@aerodyne.example')
  await startWorker()
  await until(async () => (await endpoints())[0]?.isOn === false, 'it is still on')
  expect(await endpoints()).toMatchObject([{ offReason: 'The endpoint answered 410: it wants no more events' }])
  expect((await deliveries()).map(({ state }) => state).sort()).toEqual(['failed', 'held'])
  expect(notified('/gone')).toEqual(['first@aerodyne.example'])
  const [mail] = await mails()
  expect(mail?.recipients).toContain(ADA)
  expect(mail?.body_text).toContain(receiver.url('/gone'))
  const logged = await portal.db
    .selectFrom('audit_log')
    .select(['address', 'target', 'text'])
    .where('customer_number', '=', CUSTOMER)
    .where('action', '=', 'webhook.switch-off')
    .execute()
  expect(logged).toEqual([
    {
      address: 'schedule',
      target: id,
      text: `Switched off the webhook ${receiver.url('/gone')}: The endpoint answered 410: it wants no more events`,
    },
  ])
})

/** Waits for every attempt but the last one, and turns the clock to the next each time. */
async function passRetries() {
  for (const [index, pause] of RETRY_PAUSES.entries()) {
    await reached(({ attempts }) => attempts === index + 1, `no attempt ${index + 1}`)
    forward(pause * 1.1)
  }
}

test('five days of failure switch an endpoint off when an event is given up, not when a rare event fails once', async () => {
  await addWebhook('/down')
  receiver.answer('/down', { status: 503 })
  await startWorker()
  const before = (await mails()).length
  await inviteContact('day0@aerodyne.example')
  await passRetries()
  await reached(({ state }) => state === 'failed', 'it is not given up')
  forward(7 * 24 * HOUR)
  await inviteContact('day10@aerodyne.example')
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  expect(await endpoints()).toMatchObject([{ isOn: true }])
  await passRetries()
  await until(async () => (await endpoints())[0]?.isOn === false, 'it is still on')
  expect(await endpoints()).toMatchObject([{ offReason: 'Nothing was delivered for five days', failingSince: null }])
  expect((await mails()).length).toBe(before + 1)
})

test('an event that is given up is on the operations screen, from where it is sent again', async () => {
  await addWebhook('/never')
  receiver.answer('/never', { status: 500 })
  await inviteContact('never@aerodyne.example')
  await startWorker()
  await passRetries()
  await reached(({ state }) => state === 'failed', 'it is not given up')
  expect(await onlyDelivery()).toMatchObject({ attempts: 10, nextAttemptAt: null })
  const olivia = await as(OLIVIA)
  const failed = (await olivia(failedMessageList.page, { body: {} })).body.data as { id: string }[]
  expect(failed).toMatchObject([{ lane: 'webhook', attempts: 10, trouble: 'Answered 500', customerNumber: CUSTOMER }])
  receiver.answer('/never', { status: 200 })
  expect((await olivia(resendMessage, { params: { id: failed[0]!.id } })).status).toBe(200)
  await reached(({ state }) => state === 'delivered', 'it was not sent again')
  expect((await olivia(failedMessageList.page, { body: {} })).body.data).toEqual([])
})

test('nothing is sent with a secret that does not open, and the log says so', async () => {
  await addWebhook('/sealed')
  await portal.db
    .updateTable('webhook_endpoint')
    .set({ secret: Buffer.alloc(60) })
    .execute()
  await inviteContact('sealed@aerodyne.example')
  await startWorker()
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  expect(await onlyDelivery()).toMatchObject({ trouble: expect.stringContaining('secret') })
  expect(receiver.received).toEqual([])
})

test('Retry-After is obeyed', async () => {
  await addWebhook('/busy')
  receiver.answer('/busy', { status: 429, headers: { 'retry-after': '600' } })
  await inviteContact('busy@aerodyne.example')
  await startWorker()
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  expect(Date.parse((await onlyDelivery()).nextAttemptAt!) - portal.clock.now().getTime()).toBe(600 * SECOND)
})

test('events of an account arrive in their order, and one that waits holds up no other', async () => {
  await addWebhook('/ordered')
  const names = Array.from({ length: 30 }, (_, index) => `${index}@aerodyne.example`)
  receiver.answer('/ordered', { status: 500 })
  await inviteContact(names[0]!)
  await startWorker()
  await reached(({ attempts }) => attempts === 1, 'no attempt')
  receiver.answer('/ordered', { status: 200 })
  for (const name of names.slice(1)) await inviteContact(name)
  await until(() => notified('/ordered').length === 30, 'not all came')
  forward(6 * SECOND)
  await until(() => notified('/ordered').length === 31, 'the first one did not come again')
  expect(notified('/ordered')).toEqual([...names, names[0]])
})

test('a process that dies holds an endpoint up for a minute, and its event is delivered again', async () => {
  const { id } = await addWebhook('/taken')
  await inviteContact('taken@aerodyne.example')
  const now = portal.clock.now()
  const dead = { customerNumber: CUSTOMER, id, leaseId: '00000000-0000-4000-8000-000000000001' }
  expect(await takeLease(portal.db, dead, { now, until: new Date(now.getTime() + LEASE_TIME) })).toBe(true)
  expect(await listDueEndpoints(portal.db, now, 10)).toEqual([])
  await startWorker()
  forward(LEASE_TIME - 1)
  expect(await listDueEndpoints(portal.db, portal.clock.now(), 10)).toEqual([])
  expect(receiver.received).toEqual([])
  forward(1)
  await reached(({ state }) => state === 'delivered', 'nobody took over')
})

test('nothing is sent while export compliance has closed the account', async () => {
  await addWebhook('/closed')
  await inviteContact('closed@aerodyne.example')
  const setStatus = (export_control_status: string) =>
    portal.db.updateTable('account').set({ export_control_status }).where('customer_number', '=', CUSTOMER).execute()
  await setStatus('Denied')
  onTestFinished(() => void setStatus(''))
  expect(await listDueEndpoints(portal.db, portal.clock.now(), 10)).toEqual([])
  await setStatus('approved')
  await startWorker()
  await reached(({ state }) => state === 'delivered', 'it was not sent after approval')
})

test('stopping waits for the event that is being sent, and an interrupted one stays due', async () => {
  await addWebhook('/slow')
  receiver.answer('/slow', 'hang')
  await inviteContact('slow@aerodyne.example')
  const worker = await startWorker({ timeout: 60_000 })
  await until(() => receiver.at('/slow').length === 1, 'nothing came')
  expect(worker.sending()).toEqual(['webhook'])
  const stopped = worker.stop()
  worker.interrupt()
  await stopped
  expect(worker.sending()).toEqual([])
  expect(await onlyDelivery()).toMatchObject({ state: 'queued', attempts: 0, trouble: '' })
  receiver.answer('/slow', { status: 200 })
  await startWorker()
  await reached(({ state }) => state === 'delivered', 'it was not sent again')
})

test('two processes on one database deliver each event once, in order', async () => {
  const { config, clock, db, pool } = portal
  const sender = () => createWebhookSender(config.webhooks)
  const given = { db, pool, close: async () => {} } as unknown as NonNullable<Parameters<typeof startPortal>[2]>
  const settings = { WEBHOOK_ALLOW: receiver.host }
  const paths = ['/both/1', '/both/2', '/both/3', '/both/4']
  for (const path of paths) await addWebhook(path)
  await addWebhook('/both/other', { customerNumber: OTHER })
  const apps = [
    await startPortal(settings, { webhookSender: sender(), clock, background: [] }, given),
    await startPortal(settings, { webhookSender: sender(), clock, background: [] }, given),
  ]
  onTestFinished(async () => void (await Promise.all(apps.map((one) => one.app.close()))))
  const names = Array.from({ length: 40 }, (_, index) => `${index}@aerodyne.example`)
  for (const name of names) await Promise.all([inviteContact(name), inviteContact(name, OTHER)])
  await until(() => receiver.received.length >= 5 * names.length, 'not all came')
  await until(
    async () => (await deliveries()).every(({ state }) => state === 'delivered'),
    'not all outcomes are saved',
  )
  for (const path of [...paths, '/both/other']) expect(notified(path)).toEqual(names)
})

test('deliveries are deleted after thirty days, with their attempts', async () => {
  const { id } = await addWebhook('/old')
  await ada(testWebhook, { body: { customerNumber: CUSTOMER, id } })
  await startWorker()
  await reached(({ state }) => state === 'delivered', 'it is not delivered')
  const [job] = webhooksModule.jobs ?? []
  const expire = () => job!.run(undefined as never, { ...portal, db: portal.db } as never, {} as never)
  forward(30 * 24 * HOUR)
  await expire()
  expect(await deliveries()).toHaveLength(1)
  forward(1)
  await expire()
  expect(await deliveries()).toEqual([])
  expect(await portal.db.selectFrom('webhook_attempt').selectAll().execute()).toEqual([])
})
