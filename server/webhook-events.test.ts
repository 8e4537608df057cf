import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { generateLicense } from '#contract/activations/license-files/license-files.ts'
import { rehostServer } from '#contract/activations/plans/start-plans.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { EVENT_SCHEMAS } from '#contract/webhooks/webhook-events.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import { VIEWER } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { EVENT_TYPES } from '#domain/webhooks/event-types.ts'
import { MAIN_HOST } from '#server/demo/fulfillments-hosts.ts'
import { notifyWebhooks } from '#server/modules/reminders/notify-webhooks.ts'
import { ADA, type Call, hostOf, sellLicense } from '#server/testing/activations.ts'
import { openContract } from '#server/testing/fsa.ts'
import { activate, carryOut, newHost, startPlanPortal } from '#server/testing/host-plans.ts'
import { addMeteredAccount, sentTransaction, sessionRequest } from '#server/testing/metering.ts'
import type { Portal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

const CUSTOMER = '100001'
const SCHEMAS = new Map(EVENT_SCHEMAS.map(({ type, body }) => [type, Compile(body)]))

let portal: Portal
let ada: Call
let headers: Record<string, string>
beforeAll(async () => {
  portal = await startPlanPortal()
  ada = await portal.as(ADA)
  headers = (await giveServiceKey(portal, 'Vendor')).headers
  await portal.db.deleteFrom('webhook_endpoint').execute()
  await subscribe(CUSTOMER)
})
afterAll(() => portal.close())
beforeEach(async () => void (await portal.db.deleteFrom('webhook_delivery').execute()))

async function subscribe(customerNumber: string, events: readonly string[] = EVENT_TYPES.map(({ type }) => type)) {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const body = { customerNumber, url: `https://hooks.example.com/${events.length}`, events }
  expect((await olivia(saveWebhook, { body })).status).toBe(200)
}

type Event = { readonly type: string; readonly customerNumber: string; readonly data: Record<string, unknown> }

/** The events that were written, in their order; each matches the schema of its type. */
async function written(customerNumber = CUSTOMER): Promise<Event[]> {
  const rows = await portal.db
    .selectFrom('webhook_delivery')
    .select(['event', 'body'])
    .where('customer_number', '=', customerNumber)
    .orderBy('sequence')
    .execute()
  return rows.map(({ event, body }) => {
    const parsed = JSON.parse(body) as Event
    expect(parsed.type).toBe(event)
    expect(SCHEMAS.get(event)?.Errors(parsed), `${event} ${body}`).toEqual([])
    return parsed
  })
}

async function service(name: RecordKindName, act: 'save' | 'revoke', body: object) {
  const kind = RECORD_KINDS.find((one) => one.name === name)!
  const answer = await (await portal.as(null))(recordOperations(kind)[act], { headers, body })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject([{ status: 'SUCCESS' }])
}

test('activated and returned seats are told with their host, and license files when they are generated', async () => {
  const id = await sellLicense(portal)
  const host = newHost()
  await activate(ada, CUSTOMER, host, { [id]: 3 })
  const about = { customerNumber: CUSTOMER, ...host }
  expect((await ada(generateLicense, { body: about })).body.status).toBe('SUCCESS')
  const held = await portal.db
    .selectFrom('fulfillment')
    .select('fulfillment_id')
    .where('activation_id', '=', id)
    .executeTakeFirstOrThrow()
  await ada(returnFulfillments, {
    body: { customerNumber: CUSTOMER, activations: [{ id: held.fulfillment_id, count: -2 }] },
  })
  const on = { hostId: host.serverId, hostIdType: 'ETHERNET' }
  const seats = (count: number) => [{ activationId: id, product: 'Structural Mechanics Pro', seats: count }]
  expect(await written()).toMatchObject([
    { type: 'seats.activated', data: { host: on, activations: seats(3), by: ADA } },
    { type: 'license_file.generated', data: { host: on, by: ADA, fileId: expect.any(String) } },
    { type: 'seats.returned', data: { host: on, activations: seats(2), isMove: false } },
  ])
})

test('no event has the text of a license file', async () => {
  const id = await sellLicense(portal)
  const host = newHost()
  await activate(ada, CUSTOMER, host, { [id]: 1 })
  await ada(generateLicense, { body: { customerNumber: CUSTOMER, ...host } })
  for (const { data } of await written()) expect(JSON.stringify(data)).not.toMatch(/INCREMENT|SIGN|VENDOR/)
})

test('a rehost is told as a return and a move, with both hosts', async () => {
  const id = await sellLicense(portal)
  const [source, target] = [newHost(), newHost()]
  await activate(ada, CUSTOMER, source, { [id]: 4 })
  await portal.db.deleteFrom('webhook_delivery').execute()
  const body = { customerNumber: CUSTOMER, ...hostOf(source), target }
  await carryOut(portal, CUSTOMER, await ada(rehostServer, { body }))
  const from = { hostId: source.serverId, hostIdType: 'ETHERNET' }
  const to = { hostId: target.serverId, hostIdType: 'ETHERNET' }
  const told = await written()
  expect(told.filter(({ type }) => type.startsWith('seats.'))).toMatchObject([
    { type: 'seats.returned', data: { host: from, isMove: true } },
    { type: 'seats.moved', data: { host: to, from, activations: [{ activationId: id, seats: 4 }] } },
  ])
})

test('a refused activation tells nothing', async () => {
  const id = await sellLicense(portal)
  const { body } = await ada(createFulfillments, {
    body: { customerNumber: CUSTOMER, ...newHost(), activations: [{ id, count: 99 }] },
  })
  expect(body.status).toBe('FAILURE')
  expect(await written()).toEqual([])
})

test('entitlements of a batch are told when they are added, changed and revoked', async () => {
  const record = {
    customerNumber: CUSTOMER,
    activationId: 'told-1',
    entitlementId: 'ENT-TOLD-1',
    partNumber: 'ANS0010110',
    licenseModel: 'Network',
    quantity: 5,
    startDate: '2026-01-01',
    endDate: '2030-12-31',
  }
  await service('entitlements', 'save', { records: [record] })
  await service('entitlements', 'save', { records: [record] })
  await service('entitlements', 'save', { records: [{ ...record, quantity: 77 }] })
  await service('entitlements', 'revoke', { ids: ['told-1'] })
  expect(await written()).toMatchObject([
    { type: 'entitlement.added', data: { activationId: 'told-1' } },
    { type: 'entitlement.changed', data: { quantity: 77, changed: ['quantity'] } },
    { type: 'entitlement.changed', data: { state: 'Obsolete', changed: ['state'] } },
  ])
})

test('an order from a spending account is told, and what it adds', async () => {
  const fsaID = await openContract(portal)
  const today = dayIn('Europe/Berlin', portal.clock.now())
  const line = {
    ansysbpn: 'ANS0010110',
    ansysquantity: 1,
    startdate: today,
    enddate: addDays(today, 29),
    ansysprice: '1900.00',
    ansyscurrency: 'USD',
  }
  const answer = await ada(orderEntitlements, {
    body: { ansyshasfsa: true, customerNumber: CUSTOMER, fsaID, products: [line] },
  })
  expect(answer.body.status).toBe('SUCCESS')
  expect(await written()).toMatchObject([
    {
      type: 'spending_account.ordered',
      data: { fsaId: fsaID, cost: '1900.00', available: '98100.00', currency: 'USD', lines: [{ cost: '1900.00' }] },
    },
    { type: 'entitlement.added', data: { product: 'Structural Mechanics Pro', startDate: today } },
  ])
})

test('contacts are told when a person or the vendor adds and removes them', async () => {
  const { body } = await ada(getPortalAccess, { body: { customerNumber: CUSTOMER } })
  const oldContacts = body.data as { email: string; role: string }[]
  const joined = { email: 'joined@aerodyne.example', role: VIEWER }
  const save = (from: object[], to: object[]) =>
    ada(setPortalAccess, { body: { customerNumber: CUSTOMER, oldContacts: from, newContacts: to } })
  expect((await save(oldContacts, [...oldContacts, joined])).status).toBe(200)
  expect((await save([...oldContacts, joined], oldContacts)).status).toBe(200)
  const record = { customerNumber: CUSTOMER, email: 'vendor@aerodyne.example', role: VIEWER }
  await service('contacts', 'save', { records: [record] })
  await service('contacts', 'revoke', { ids: [`${CUSTOMER}:vendor@aerodyne.example`] })
  expect(await written()).toMatchObject([
    { type: 'contact.added', data: { ...joined, by: ADA } },
    { type: 'contact.removed', data: { ...joined, by: ADA } },
    { type: 'contact.added', data: { email: record.email, role: VIEWER } },
    { type: 'contact.removed', data: { email: record.email, role: VIEWER } },
  ])
})

test('denied sessions and checkouts are told, although the call is rolled back', async () => {
  const number = 'WH-1'
  await addMeteredAccount(portal.db, number, { users: ['anna'] })
  await subscribe(number)
  const nobody = await portal.as(null)
  const start = async (changes: object) =>
    (await nobody(startSession, { headers, body: sessionRequest(number, changes) })).body.code
  expect(await start({ username: 'stranger' })).toBe('USER_NOT_ALLOWED')
  expect(await start({ pin: '000000' })).toBe('WRONG_PIN')
  for (const _ of ['first', 'second', 'third'])
    expect(await start({ username: 'half \ud800' })).toBe('USER_NOT_ALLOWED')
  expect(await start({})).toBeUndefined()
  const checkout = { customerNumber: number, product: 'Optical Ray Studio', username: 'ann@web.example', host: 'pc-1' }
  expect((await nobody(startWebCheckout, { headers, body: checkout })).body.status).toBe('FAILURE')
  const events = await written(number)
  expect(events).toMatchObject([
    {
      type: 'session.denied',
      data: { reason: 'USER_NOT_ALLOWED', username: 'stranger', serverId: `server-${number}` },
    },
    { type: 'session.denied', data: { reason: 'WRONG_PIN' } },
    { type: 'session.denied', data: { username: 'half \ufffd', denials: 1 } },
    { type: 'checkout.denied', data: { username: 'ann@web.example', product: 'Optical Ray Studio' } },
    { type: 'session.denied', data: { username: 'half \ufffd', denials: 2 } },
  ])
  expect(JSON.stringify(events)).not.toContain('000000')
})

test('a storm of denials is two events a minute for each user and reason, with their number', async () => {
  const number = 'WH-4'
  await addMeteredAccount(portal.db, number, { users: ['anna'] })
  await subscribe(number)
  const nobody = await portal.as(null)
  const start = (changes: object) => nobody(startSession, { headers, body: sessionRequest(number, changes) })
  const minute = Math.ceil(portal.clock.now().getTime() / 60_000) * 60_000
  portal.clock.forward(minute - portal.clock.now().getTime())
  const denied = (username: string) => start({ username })
  await denied('stranger')
  await Promise.all(Array.from({ length: 20 }, () => denied('stranger')))
  await denied('other')
  for (const pin of ['000000', '000001', '000002']) await start({ pin, username: `made-up-${pin}` })
  const told = async () => (await written(number)).map(({ data }) => [data.reason, data.username, data.denials])
  const ofFirstMinute = [
    ['USER_NOT_ALLOWED', 'stranger', 1],
    ['USER_NOT_ALLOWED', 'other', 1],
    ['WRONG_PIN', 'made-up-000000', 1],
    ['USER_NOT_ALLOWED', 'stranger', 20],
    ['WRONG_PIN', 'made-up-000001', 2],
  ]
  expect(await told()).toEqual(ofFirstMinute)
  const due = await portal.db
    .selectFrom('webhook_delivery')
    .select('next_attempt_at')
    .where('customer_number', '=', number)
    .orderBy('sequence')
    .execute()
  expect(due.map(({ next_attempt_at }) => Number(next_attempt_at) - minute)).toEqual([0, 0, 0, 62_000, 62_000])
  portal.clock.forward(60_000)
  await denied('stranger')
  expect(await told()).toHaveLength(ofFirstMinute.length + 1)
})

test('accounts without webhooks get no rows', async () => {
  const id = await sellLicense(portal, { customer_number: '100002' })
  await activate(await portal.as('olivia.ops@vendor.example'), '100002', newHost(), { [id]: 1 })
  expect(await written('100002')).toEqual([])
})

test('users whom a license server turns away are told once for each feature and minute', async () => {
  const [year, month, day] = dayIn('UTC', portal.clock.now()).split('-').map(Number)
  const denied = (time: string, user: string, code = -4) =>
    `${time} (ansyslmd) DENIED: "told" ${user}@pc  (Licensed number of users already reached. (${code},342))\n`
  const send = (position: number, text: string) => {
    const observations = [{ file: 'told.log', position, text }]
    return ada(sendObservations, { body: { customerNumber: CUSTOMER, serverId: MAIN_HOST.id, observations } })
  }
  const first = [
    `1:00:00 (lmgrd) TIMESTAMP ${month}/${day}/${year}\n`,
    denied('1:00:01', 'ann'),
    denied('1:00:31', 'bob'),
    denied('1:00:41', 'bob'),
    denied('1:01:10', 'cid'),
    denied('1:02:10', 'dan', -25),
  ].join('')
  await send(0, first)
  await send(first.length, denied('1:01:40', 'eve'))
  const told = { hostId: MAIN_HOST.id, hostName: MAIN_HOST.name, feature: 'told', cause: 'shortage', code: -4 }
  const denials = (await written()).filter(({ type }) => type === 'license_server.denied')
  expect(denials.map(({ data }) => [data.username, data.deniedAt])).toMatchObject([
    ['ann', expect.stringContaining('T01:00:01')],
    ['cid', expect.stringContaining('T01:01:10')],
  ])
  expect(denials[0]?.data).toMatchObject(told)
})

test('a log of last month tells nothing', async () => {
  const [year, month, day] = addDays(dayIn('UTC', portal.clock.now()), -30).split('-').map(Number)
  const text = `1:00:00 (lmgrd) TIMESTAMP ${month}/${day}/${year}\n1:00:01 (d) DENIED: "old" ann@pc  (x (-4,342))\n`
  const body = { customerNumber: CUSTOMER, serverId: MAIN_HOST.id, observations: [{ text }] }
  expect((await ada(sendObservations, { body })).body.data).toMatchObject([{ outcome: 'stored' }])
  expect(await written()).toEqual([])
})

test('a balance is told once when it falls below a threshold', async () => {
  const number = 'WH-3'
  await addMeteredAccount(portal.db, number, { sold: [{ id: 'WH-3-units', units: 8 }] })
  await subscribe(number)
  await notifyWebhooks(portal, number)
  expect(await written(number)).toEqual([])
  const transactions = [sentTransaction(portal, number)]
  expect((await (await portal.as(null))(sendUsage, { headers, body: { transactions } })).status).toBe(200)
  await notifyWebhooks(portal, number)
  await notifyWebhooks(portal, number)
  expect(await written(number)).toMatchObject([
    {
      type: 'balance.low',
      data: { kind: 'elastic', remaining: '0.50', total: '8.00', threshold: { measure: 'percent', value: '10' } },
    },
  ])
})

test('a threshold that no webhook had chosen when it was crossed is told once one chooses it', async () => {
  const number = 'WH-9'
  await addMeteredAccount(portal.db, number, { sold: [{ id: 'WH-9-units', units: 8 }] })
  const transactions = [sentTransaction(portal, number)]
  expect((await (await portal.as(null))(sendUsage, { headers, body: { transactions } })).status).toBe(200)
  await subscribe(number, ['entitlement.ending'])
  await notifyWebhooks(portal, number)
  expect(await written(number)).toEqual([])
  await subscribe(number, ['balance.low', 'contact.added'])
  await notifyWebhooks(portal, number)
  expect(await written(number)).toMatchObject([{ type: 'balance.low', data: { remaining: '0.50' } }])
})

test('each end is told once, with the tightest of the days that are reached', async () => {
  const number = 'WH-2'
  const today = dayIn('UTC', portal.clock.now())
  await addMeteredAccount(portal.db, number, { sold: [{ id: 'WH-2-units', units: 100 }] })
  await subscribe(number)
  for (const days of [0, 1, 7, 8, 30, 31])
    await sellLicense(portal, { customer_number: number, end_date: addDays(today, days), line_item_quantity: days + 1 })
  await notifyWebhooks(portal, number)
  const ends = (await written(number)).map(({ type, data }) => [type, data.endDate, data.daysLeft])
  expect(ends).toEqual([0, 1, 7, 8, 30].map((days) => ['entitlement.ending', addDays(today, days), days]))
  await notifyWebhooks(portal, number)
  expect(await written(number)).toHaveLength(5)
  portal.clock.forward(24 * 3_600_000)
  await notifyWebhooks(portal, number)
  expect((await written(number)).slice(5).map(({ data }) => data.daysLeft)).toEqual([0, 7, 30])
})

test('a license server that no longer reports is told once for each silence', async () => {
  const silences = async () => {
    await notifyWebhooks(portal, CUSTOMER)
    return (await written()).filter(({ type, data }) => type.endsWith('.silent') && data.hostId === MAIN_HOST.id)
  }
  const report = () =>
    portal.db
      .updateTable('license_report')
      .set({ reported_at: portal.clock.now() })
      .where('host_id', '=', MAIN_HOST.id)
      .execute()
  await report()
  expect(await silences()).toEqual([])
  portal.clock.forward(25 * 3_600_000)
  expect(await silences()).toMatchObject([{ data: { hostName: MAIN_HOST.name } }])
  expect(await silences()).toHaveLength(1)
  await report()
  portal.clock.forward(25 * 3_600_000)
  expect(await silences()).toHaveLength(2)
})

test('the API document has a schema for every event', async () => {
  const { webhooks, components } = (await portal.app.inject({ url: '/api/docs/json' })).json<{
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>
    components: { schemas: Record<string, { properties?: object; required?: string[] }> }
  }>()
  expect(Object.keys(webhooks).sort()).toEqual([...EVENT_TYPES.map(({ type }) => type), 'webhook.test'].sort())
  for (const { post } of Object.values(webhooks)) {
    const name = post.requestBody.content['application/json']?.schema.$ref.split('/').at(-1)
    expect(components.schemas[name ?? '']?.required).toEqual(['type', 'version', 'timestamp', 'customerNumber', 'data'])
  }
})
