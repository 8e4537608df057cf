import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listServers, type Server } from '#contract/activations/hosts/servers.ts'
import { serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import { ADA, type Call, NEW_HOST, OLIVIA, rowsOf, seatsIn, sellLicense, VIC } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
let ada: Call
let id: string
let hosts = 0
let host = NEW_HOST
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
beforeEach(async () => {
  id = await sellLicense(portal)
  host = { ...NEW_HOST, serverId: (++hosts).toString(16).padStart(12, '0') }
})
afterAll(() => portal.close())

const customerNumber = '100001'
type Element = { id: string; count: number }
const create = (activations: Element[], more: object = {}, call = ada) =>
  call(createFulfillments, { body: { customerNumber, ...host, activations, ...more } })
const giveBack = (activations: Element[], more: object = {}, call = ada) =>
  call(returnFulfillments, { body: { customerNumber, activations, ...more } })
const onHost = async () => {
  const answer = await ada(serverEntitlements, { body: { customerNumber, serverId: host.serverId, activeOnly: true } })
  return rowsOf(answer).map(({ ActivationId, AnsysActivated, AnsysFulfillments }) => ({
    ActivationId,
    AnsysActivated,
    counts: AnsysFulfillments.map(({ FulfillCount }) => FulfillCount),
  }))
}
const lineOf = (answer: Awaited<ReturnType<typeof create>>, index = 0) =>
  (answer.body.data as { FulfillmentID: string }[])[index]

test('adds a new host with its first seats', async () => {
  const answer = await create([{ id, count: 3 }])
  expect(answer.body).toEqual({
    status: 'SUCCESS',
    data: [{ id, FulfillmentID: expect.stringMatching(/^[0-9a-f-]{36}$/), FulfillCount: 3, status: 'SUCCESS' }],
  })
  expect(await onHost()).toEqual([{ ActivationId: id, AnsysActivated: 3, counts: [3] }])
  const servers = (await ada(listServers, { body: { customerNumber } })).body.data as Server[]
  expect(servers.find((one) => one.id === host.serverId)).toEqual({
    id: host.serverId,
    name: host.serverName,
    type: 'ETHERNET',
    state: 'Active',
    isOutOfDate: true,
    portNumber: 1055,
    ansysborrowed: false,
    isShared: false,
    generatedAt: null,
    generatedBy: null,
  })
})

test('answers only the seats that a fulfillment still holds', async () => {
  const [first, second] = [lineOf(await create([{ id, count: 3 }])), lineOf(await create([{ id, count: 2 }]))]
  await giveBack([{ id: first!.FulfillmentID, count: -1 }])
  expect(await onHost()).toEqual([{ ActivationId: id, AnsysActivated: 4, counts: [2, 2] }])
  await giveBack([{ id: second!.FulfillmentID, count: -2 }])
  expect(await onHost()).toEqual([{ ActivationId: id, AnsysActivated: 2, counts: [2] }])
})

test('takes a return without a fulfillment from the oldest one', async () => {
  await create([{ id, count: 3 }])
  await create([{ id, count: 4 }])
  const row = {
    customer_number: customerNumber,
    activation_id: id,
    host_id_type: 'ETHERNET' as const,
    host_id: host.serverId,
    fulfilled_at: portal.clock.now(),
  }
  await portal.db
    .insertInto('fulfillment')
    .values({ ...row, fulfill_count: -4 })
    .execute()
  expect(await onHost()).toEqual([{ ActivationId: id, AnsysActivated: 3, counts: [3] }])
})

test('a returned seat can be activated again', async () => {
  const { FulfillmentID } = lineOf(await create([{ id, count: 10 }]))!
  expect((await create([{ id, count: 1 }])).body).toMatchObject({ code: 'SEAT_GONE' })
  expect((await giveBack([{ id: FulfillmentID, count: -10 }])).body).toMatchObject({ status: 'SUCCESS' })
  expect((await create([{ id, count: 1 }])).body).toMatchObject({ status: 'SUCCESS' })
  expect(await seatsIn(portal, id)).toEqual({ ledger: 1, kept: 1 })
})

test('refuses the whole batch for one element, and says which one', async () => {
  const other = await sellLicense(portal)
  const answer = await create([
    { id: other, count: 1 },
    { id, count: 11 },
  ])
  const err = 'Activated number must be less or equal to Available number.'
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    status: 'FAILURE',
    code: 'SEAT_GONE',
    err,
    data: [
      {
        id: other,
        FulfillCount: 1,
        status: 'FAILURE',
        code: 'BATCH_REFUSED',
        err: 'Nothing of this request was done.',
      },
      { id, FulfillCount: 11, status: 'FAILURE', code: 'SEAT_GONE', err },
    ],
  })
  expect(await seatsIn(portal, other)).toEqual({ ledger: 0, kept: 0 })
})

test('counts the same entitlement twice in one request', async () => {
  const twice = [
    { id, count: 6 },
    { id, count: 5 },
  ]
  expect((await create(twice)).body).toMatchObject({ code: 'SEAT_GONE' })
  const { FulfillmentID } = lineOf(await create([{ id, count: 6 }]))!
  const more = [
    { id: FulfillmentID, count: -4 },
    { id: FulfillmentID, count: -3 },
  ]
  expect((await giveBack(more)).body).toMatchObject({ code: 'NOT_HELD' })
  expect(await seatsIn(portal, id)).toEqual({ ledger: 6, kept: 6 })
})

describe('an entitlement that cannot be activated', () => {
  test.each([
    ['an unknown entitlement', {}, 'NO_SUCH_ACTIVATION'],
    ['an expired entitlement', { start_date: '2019-01-01', end_date: '2020-01-01' }, 'ENTITLEMENT_EXPIRED'],
    ['a draft', { state: 'Draft' }, 'NOT_ACTIVATABLE'],
    ['a web license', { license_model: 'Named User' }, 'NOT_ACTIVATABLE'],
    ['an elastic entitlement', { license_model: 'Elastic-AEU' }, 'NOT_ACTIVATABLE'],
    ['a manual drawdown', { is_manual: true }, 'NOT_ACTIVATABLE'],
  ] as const)('%s is refused with $2', async (_, change, code) => {
    const one = Object.keys(change).length ? await sellLicense(portal, change) : 'none'
    expect((await create([{ id: one, count: 1 }])).body).toMatchObject({ status: 'FAILURE', code })
  })

  test("another account's entitlement is refused", async () => {
    const foreign = await sellLicense(portal, { customer_number: '100003' })
    expect((await create([{ id: foreign, count: 1 }])).body).toMatchObject({ code: 'NO_SUCH_ACTIVATION' })
  })
})

test("refuses to return another account's fulfillment", async () => {
  const foreign = await sellLicense(portal, { customer_number: '100003' })
  const greta = await portal.as('greta.generator@partner.example')
  const line = lineOf(await create([{ id: foreign, count: 1 }], { customerNumber: '100003' }, greta))
  expect((await giveBack([{ id: line!.FulfillmentID, count: -1 }])).body).toMatchObject({ code: 'NO_SUCH_FULFILLMENT' })
  expect(await seatsIn(portal, foreign)).toEqual({ ledger: 1, kept: 1 })
})

test('activates what has not started yet', async () => {
  const later = await sellLicense(portal, { start_date: '2090-01-01' })
  expect((await create([{ id: later, count: 1 }])).body).toMatchObject({ status: 'SUCCESS' })
})

test('expired maintenance refuses activation and return, except for business operations, whose override is audited', async () => {
  const permanent = { is_permanent: true, end_date: null, version_date: '2020-12-31' }
  const old = await sellLicense(portal, permanent)
  expect((await create([{ id: old, count: 1 }])).body).toMatchObject({
    code: 'MAINTENANCE_EXPIRED',
    err: MAINTENANCE_EXPIRED,
  })
  const olivia = await portal.as(OLIVIA)
  const line = lineOf(await create([{ id: old, count: 1 }], {}, olivia))
  const back = [{ id: line!.FulfillmentID, count: -1 }]
  expect((await giveBack(back, { action: 'DEACTIVATE' })).body).toMatchObject({ code: 'MAINTENANCE_EXPIRED' })
  expect((await giveBack(back, {}, olivia)).body).toMatchObject({ status: 'SUCCESS' })
  const audits = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('email', '=', OLIVIA)
    .where('action', 'in', ['fulfillments/create', 'fulfillments/return'])
    .orderBy('id')
    .execute()
  expect(audits.map(({ action, after }) => [action, (after as Record<string, unknown>).maintenanceOverridden])).toEqual(
    [
      ['fulfillments/create', [old]],
      ['fulfillments/return', [old]],
    ],
  )
})

test('the ledger row keeps who, when and why', async () => {
  await create([{ id, count: 1 }], { action: 'REHOST', time: '1999-01-01', customerEmail: 'x@evil.example' })
  const rows = await portal.db
    .selectFrom('fulfillment')
    .select(['modified_by', 'action', 'fulfilled_at'])
    .where('activation_id', '=', id)
    .execute()
  expect(rows).toEqual([{ modified_by: ADA, action: 'REHOST', fulfilled_at: portal.clock.now() }])
})

test('the same Idempotency-Key activates once, and answers the refused lines again', async () => {
  const headers = { 'idempotency-key': `create-${id}` }
  const body = { customerNumber, ...host, activations: [{ id, count: 4 }] }
  const [one, two] = [
    await ada(createFulfillments, { body, headers }),
    await ada(createFulfillments, { body, headers }),
  ]
  expect(two.body).toEqual(one.body)
  expect(await seatsIn(portal, id)).toEqual({ ledger: 4, kept: 4 })
  const over = { body: { ...body, activations: [{ id, count: 99 }] }, headers: { 'idempotency-key': `over-${id}` } }
  const refused = await ada(createFulfillments, over)
  expect(refused.body).toMatchObject({ code: 'SEAT_GONE', data: [{ id, code: 'SEAT_GONE' }] })
  expect((await ada(createFulfillments, over)).body).toEqual(refused.body)
})

test('a known host under another name is refused, and an inactive one keeps its old name', async () => {
  const line = lineOf(await create([{ id, count: 1 }]))
  const renamed = { serverName: 'lic-other' }
  expect((await create([{ id, count: 1 }], renamed)).body).toMatchObject({
    code: 'HOST_IN_USE',
    err: `Host identifier ${host.serverName} (${host.serverId}) is already in use. If you want to rehost, please use the "Manage Activations" menu.`,
  })
  await giveBack([{ id: line!.FulfillmentID, count: -1 }])
  expect((await create([{ id, count: 1 }], renamed)).body).toMatchObject({ status: 'SUCCESS' })
  const servers = (await ada(listServers, { body: { customerNumber } })).body.data as Server[]
  expect(servers.find((one) => one.id === host.serverId)?.name).toBe(host.serverName)
})

test('a triad is the same host whatever the order and spelling of its ids', async () => {
  const ids = ['a1', 'b2', 'c3'].map((end) => `02:42:ac:11:00:${end}`)
  const triad = (order: number[]) => ({
    serverName: order.map((at) => `core-${at}`).join(','),
    serverId: order.map((at) => ids[at]).join(','),
    serverIdType: 'E,2,ETHERNET',
  })
  await create([{ id, count: 1 }], triad([0, 1, 2]))
  await create([{ id, count: 1 }], triad([2, 0, 1]))
  const servers = (await ada(listServers, { body: { customerNumber } })).body.data as Server[]
  expect(servers.filter((one) => one.id.includes('0242ac1100b2'))).toMatchObject([
    { id: '0242ac1100a1,0242ac1100b2,0242ac1100c3', name: 'core-0,core-1,core-2', type: 'ETHERNET,ETHERNET,ETHERNET' },
  ])
})

test.each([
  [{ serverId: 'xyz' }, 'Invalid ETHERNET server id: xyz.'],
  [{ serverId: '000000000001,000000000002' }, 'is not a single or triad server'],
  [{ serverIdType: 'PHONE' }, 'Unsupported host id type: PHONE'],
  [
    { serverName: 'a,b,c', serverId: '0242ac1100a1,0242ac1100b2,0242ac1100c3', serverIdType: 'ETHERNET' },
    'The number of server id types must match the number of server ids',
  ],
  [{ serverName: 'a'.repeat(256) }, 'A host name has at most 255 characters.'],
  [{ serverName: 'two words' }, 'Please remove spaces and special characters.'],
  [{ serverName: 'a\nINCREMENT evil' }, 'Please remove spaces and special characters.'],
  [{ activations: [] }, 'body.activations'],
  [{ activations: [{ id: 'x', count: 0 }] }, 'body.activations.0.count'],
  [{ activations: [{ id: 'x', count: -1 }] }, 'body.activations.0.count'],
  [{ activations: Array.from({ length: 26 }, () => ({ id: 'x', count: 1 })) }, 'body.activations'],
  [{ action: 'STEAL' }, 'body.action'],
])('a request with %j is refused with 400', async (change, err) => {
  const answer = await create([{ id, count: 1 }], change)
  expect(answer.status).toBe(400)
  expect(answer.body.err).toContain(err)
})

test.each([
  ['a view-only contact', VIC, '100001', 403],
  ['a stranger', 'sol.single@bluewater.example', '100001', 404],
  ['staff that only reads', 'sam.support@vendor.example', '100001', 403],
  ['an administrator under export denial', 'ella.export@restricted.example', '100004', 403],
  ['an administrator whose access is disabled', 'hal.heritage@heritage.example', '100008', 403],
])('%s changes nothing', async (_, email, account, status) => {
  const call = await portal.as(email)
  const own = account === '100001' ? id : await sellLicense(portal, { customer_number: account })
  const answer = await create([{ id: own, count: 1 }], { customerNumber: account }, call)
  expect(answer.status).toBe(status)
  expect((await giveBack([{ id: own, count: -1 }], { customerNumber: account }, call)).status).toBe(status)
  expect(await seatsIn(portal, own)).toEqual({ ledger: 0, kept: 0 })
})
