import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import {
  exportElasticEntitlements,
  getEntitlements,
  getMonthlyDraw,
} from '#contract/elastic/balances/elastic-entitlements.ts'
import {
  activeEntitlementList,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { EXPORT_DENIED, SELF_SERVE_DENIED } from '#domain/access/can.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const AERODYNE = '100001'
const ADA = 'ada.admin@aerodyne.example'
const of = (purpose: string) => activationId({ customerNumber: AERODYNE, purpose })

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const LISTS: readonly Operation[] = [
  entitlementList.page,
  activeEntitlementList.page,
  inactiveEntitlementList.page,
  entitlementList.count,
  activeEntitlementList.count,
  inactiveEntitlementList.count,
  entitlementList.distinct,
  activeEntitlementList.exportCsv,
  inactiveEntitlementList.exportCsv,
]
const ELASTIC: readonly Operation[] = [getEntitlements, getMonthlyDraw, exportElasticEntitlements]

/** The fields of a call in addition to the account. */
const needed: Record<string, object> = {
  [exportElasticEntitlements.name]: { active: true },
  [getMonthlyDraw.name]: { activationId: [of('elastic, partly used')] },
  [entitlementList.distinct.name]: { key: 'LicenseModel' },
  [countFulfillments.name]: { activationId: [of('thousands')] },
  [fulfillmentHosts.name]: { activationId: of('thousands') },
}
const ALL: readonly Operation[] = [...LISTS, ...ELASTIC, countFulfillments, fulfillmentHosts]

describe.each(ALL.map((operation) => [operation.name, operation] as const))('the operation %s', (name, operation) => {
  const body = (customerNumber: string) => ({ customerNumber, ...needed[name] })

  test('answers contacts and support', async () => {
    for (const email of [ADA, 'vic.viewer@aerodyne.example', 'sam.support@vendor.example']) {
      const call = await portal.as(email)
      const answer = await call(operation, { body: body(AERODYNE) })
      expect(answer.status).toBe(200)
      if (!operation.media) expect(answer.body.status).toBe('SUCCESS')
    }
  })

  test('answers 401 without a session', async () => {
    const nobody = await portal.as(null)
    expect((await nobody(operation, { body: body(AERODYNE) })).status).toBe(401)
  })

  test('answers 404 for an account that the caller does not see', async () => {
    const ada = await portal.as(ADA)
    for (const customerNumber of ['100003', '999999'])
      expect(await ada(operation, { body: body(customerNumber) })).toMatchObject({
        status: 404,
        body: { err: 'No such account' },
      })
  })

  test('answers 403 on an export-denied account, to staff too', async () => {
    for (const email of ['ella.export@restricted.example', 'olivia.ops@vendor.example']) {
      const call = await portal.as(email)
      expect(await call(operation, { body: body('100004') })).toMatchObject({
        status: 403,
        body: { err: EXPORT_DENIED },
      })
    }
  })

  test('with access disabled, answers elastic and refuses everything else with 403', async () => {
    const hal = await portal.as('hal.heritage@heritage.example')
    const answer = await hal(operation, { body: body('100008') })
    if (ELASTIC.some((one) => one.name === name)) expect(answer.body.err).not.toBe(SELF_SERVE_DENIED)
    else expect(answer).toMatchObject({ status: 403, body: { err: SELF_SERVE_DENIED } })
  })

  test('refuses unknown and missing fields with 400', async () => {
    const ada = await portal.as(ADA)
    expect((await ada(operation, { body: { ...body(AERODYNE), surprise: 1 } })).body.err).toContain(
      "unknown field 'surprise'",
    )
    expect((await ada(operation, { body: { ...needed[name] } })).status).toBe(400)
  })
})

describe.each(LISTS.map((operation) => [operation.name, operation] as const))('the list %s', (name, operation) => {
  test.each([
    [{ type: 'NOTHING' }, 'body.type must be "ALL" or "ELASTIC" or'],
    [{ state: 'NOTHING' }, 'body.state must be "Deployed"'],
    [{ state: 'Draft' }, 'body.state'],
    [{ filter: { condition: 'ALL', criteria: [{ name: 'Foo', method: 'EQUALS', value: 1 }] } }, "unknown field 'Foo'"],
    [
      { filter: { condition: 'ALL', criteria: [{ name: 'EndDate', method: 'CONTAINS', value: '2026' }] } },
      'method CONTAINS does not fit',
    ],
  ])('refuses %j with the name of what is wrong', async (wrong, error) => {
    const ada = await portal.as(ADA)
    const answer = await ada(operation, { body: { customerNumber: AERODYNE, ...needed[name], ...wrong } })
    expect(answer.status).toBe(400)
    expect(answer.body.err).toContain(error)
  })
})

describe('the requested type decides who may call', () => {
  const HAL = 'hal.heritage@heritage.example'
  const disabled = (operation: Operation, type: unknown) => ({
    body: { customerNumber: '100008', ...needed[operation.name], type },
  })

  test.each(LISTS)('$name answers ELASTIC where access is disabled', async (operation) => {
    for (const email of [HAL, 'adam.admin@vendor.example']) {
      const call = await portal.as(email)
      expect((await call(operation, disabled(operation, 'ELASTIC'))).status).toBe(200)
    }
  })

  test.each(LISTS)('$name refuses every other type there, and the audit log has it', async (operation) => {
    const hal = await portal.as(HAL)
    const types = [undefined, 'SSL', 'ALL', 'FSA', 'SUBSCRIPTION', 'CONCURRENT', 'elastic', ['ELASTIC']]
    for (const type of types)
      expect(await hal(operation, disabled(operation, type))).toMatchObject({
        status: 403,
        body: { status: 'FAILURE', err: SELF_SERVE_DENIED },
      })
    const logged = await portal.db
      .selectFrom('audit_log')
      .select(['customer_number', 'outcome', 'reason'])
      .where('action', '=', operation.name)
      .where('email', '=', HAL)
      .orderBy('id', 'desc')
      .limit(types.length)
      .execute()
    const refused = { customer_number: '100008', outcome: 'refused', reason: SELF_SERVE_DENIED }
    expect(logged).toEqual(types.map(() => refused))
  })

  test('ELASTIC is refused on unseen and export-denied accounts', async () => {
    const hal = await portal.as(HAL)
    const ella = await portal.as('ella.export@restricted.example')
    for (const operation of LISTS) {
      const body = { ...needed[operation.name], type: 'ELASTIC' }
      expect((await hal(operation, { body: { ...body, customerNumber: AERODYNE } })).status).toBe(404)
      expect((await ella(operation, { body: { ...body, customerNumber: '100004' } })).body.err).toBe(EXPORT_DENIED)
    }
  })
})

test.each([activeEntitlementList.page, activeEntitlementList.exportCsv, exportElasticEntitlements])(
  '$name refuses to sort by an unknown field',
  async (operation) => {
    const ada = await portal.as(ADA)
    const sorting = [{ name: 'Foo', direction: 'asc' }]
    const answer = await ada(operation, { body: { customerNumber: AERODYNE, ...needed[operation.name], sorting } })
    expect(answer).toMatchObject({ status: 400, body: { err: "sorting[0]: unknown field 'Foo'" } })
  },
)

test('a row has the field names of the wire', async () => {
  const ada = await portal.as(ADA)
  const filter = {
    condition: 'ALL',
    criteria: [{ name: 'ActivationId', method: 'EQUALS', value: of('permanent, maintained') }],
  }
  const { body } = await ada(activeEntitlementList.page, {
    body: { customerNumber: AERODYNE, type: 'SSL', state: 'Deployed', filter },
  })
  expect(body).toEqual({
    status: 'SUCCESS',
    token: null,
    data: [
      {
        ActivationId: of('permanent, maintained'),
        EntitlementID: expect.stringMatching(/^ENT-100001-/),
        PartNumber: 'ANS0010120',
        ProductName: 'Structural Mechanics Premium',
        LicenseModel: 'Network',
        LineItemQuantity: 15,
        AnsysActivated: 15,
        StartDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        EndDate: null,
        VersionDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        IsActivationPermanent: 'true',
        EntitlementState: 'Deployed',
        'CA[ENT|ansystype]': 'Paid-up',
        'CA[ENT|ansyssubtype]': '',
        'CA[ENT|ansysponum]': expect.stringMatching(/^PO-45/),
      },
    ],
  })
})

test('the active and inactive lists make up the whole list, without excluded products', async () => {
  const ada = await portal.as(ADA)
  const names = async (operation: Operation) => {
    const { body } = await ada(operation, {
      body: { customerNumber: AERODYNE, attributes: ['ProductName', 'ActivationId'], limit: 1000 },
    })
    return body.data as { ProductName: string; ActivationId: string }[]
  }
  const [all, active, inactive] = [
    await names(entitlementList.page),
    await names(activeEntitlementList.page),
    await names(inactiveEntitlementList.page),
  ]
  const ids = (rows: { ActivationId: string }[]) => rows.map((row) => row.ActivationId).sort()
  expect(ids([...active, ...inactive])).toEqual(ids(all))
  expect(active.length).toBeGreaterThan(20)
  expect(inactive.length).toBeGreaterThan(20)
  expect(all.filter((row) => row.ProductName.includes('Manual Drawdown'))).toEqual([])
  const counts = [entitlementList.count, activeEntitlementList.count, inactiveEntitlementList.count].map(
    async (operation) => (await ada(operation, { body: { customerNumber: AERODYNE } })).body.data,
  )
  expect(await Promise.all(counts)).toEqual([all.length, active.length, inactive.length])
})

test('pages by token and by offset continue where the last one ended', async () => {
  const ada = await portal.as(ADA)
  const body = { customerNumber: AERODYNE, attributes: ['ActivationId'], limit: 20 }
  const first = await ada(activeEntitlementList.page, { body })
  const byToken = await ada(activeEntitlementList.page, { body: { ...body, token: first.body.token } })
  const byOffset = await ada(activeEntitlementList.page, { body: { ...body, offset: 20 } })
  expect(byToken.body.data).toEqual(byOffset.body.data)
  const foreign = await ada(inactiveEntitlementList.page, { body: { ...body, token: first.body.token } })
  expect(foreign.status).toBe(400)
})

test('lists distinct values of a column', async () => {
  const ada = await portal.as(ADA)
  const { body } = await ada(entitlementList.distinct, { body: { customerNumber: AERODYNE, key: 'LicenseModel' } })
  expect(body.data).toEqual(expect.arrayContaining(['Annual', 'ConcurrentProduct', 'Network', 'Orbital Token']))
  expect(body.data).not.toContain('Elastic-AEU')
})

test('counts seats on hosts, with zeros and without foreign and unknown ids', async () => {
  const ada = await portal.as(ADA)
  const foreign = activationId({ customerNumber: '100003', purpose: 'lease 1' })
  const ids = [of('thousands'), of('active, one week left'), foreign, 'no-such-id', of('thousands')]
  const { body } = await ada(countFulfillments, { body: { customerNumber: AERODYNE, activationId: ids } })
  expect(body.data).toEqual({ [of('thousands')]: 1000, [of('active, one week left')]: 0 })
})

test('lists the hosts that hold seats, most seats first, with triads in wire form', async () => {
  const ada = await portal.as(ADA)
  const hosts = async (purpose: string) =>
    (await ada(fulfillmentHosts, { body: { customerNumber: AERODYNE, activationId: of(purpose) } })).body.data
  expect(await hosts('active, more than 90 days left')).toEqual([
    { serverName: 'lic-berlin-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET', count: 12 },
    {
      serverName: 'lic-core-a,lic-core-b,lic-core-c',
      serverId: 'a0369f1c2e01,a0369f1c2e02,a0369f1c2e03',
      serverIdType: 'ETHERNET,ETHERNET,ETHERNET',
      count: 8,
    },
    { serverName: 'lic-lab-dongle', serverId: '9-1f04b7c2', serverIdType: 'FLEXID', count: 3 },
  ])
  // Seats that were moved away are no longer on the host.
  expect(await hosts('active, 90 days left')).toMatchObject([{ serverName: 'lic-berlin-01', count: 6 }])
  expect(await hosts('active, one week left')).toEqual([])
})

test.each([
  ['100003', 'lease 1'],
  ['100001', 'not yet deployed'],
  ['100001', 'no such purpose'],
])('hosts of %s, %s are 404 when requested for Aerodyne', async (customerNumber, purpose) => {
  const ada = await portal.as(ADA)
  const answer = await ada(fulfillmentHosts, {
    body: { customerNumber: AERODYNE, activationId: activationId({ customerNumber, purpose }) },
  })
  expect(answer.status).toBe(404)
})
