import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { RecordKindName } from '#contract/data/kinds.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { ADA } from '#server/testing/activations.ts'
import { type DataPortal, startDataPortal } from '#server/testing/data.ts'

/** Refusals of each kind of record, and the stored form of accepted records. */
let portal: DataPortal
beforeAll(async () => {
  portal = await startDataPortal()
  await portal.save('products', [PRODUCT])
  await portal.save('accounts', [
    { customerNumber: A, name: 'Rules A' },
    { customerNumber: B, name: 'Rules B' },
  ])
  await portal.save('contacts', [{ customerNumber: A, email: ADA, role: 'Licensing Portal Administrator' }])
})
afterAll(() => portal.close())

const A = '910001'
const B = '910002'
const PRODUCT = {
  partNumber: 'RUL0000001',
  name: 'Rule Solver',
  itemNumber: '91-0000001',
  daemon: 'ansyslmd',
  featureNames: ['rule'],
}

let made = 0
/** A new entitlement. */
const sold = (changes: object = {}) => ({
  activationId: `rules-${++made}`,
  customerNumber: A,
  entitlementId: `ENT-${made}`,
  partNumber: PRODUCT.partNumber,
  licenseModel: 'Network',
  quantity: 10,
  startDate: '2020-01-01',
  endDate: '2099-12-31',
  ...changes,
})
const contract = (changes: object = {}) => ({
  activationId: `rules-${++made}`,
  customerNumber: A,
  partNumber: PRODUCT.partNumber,
  fsaId: `FSA-R${made}`,
  currency: 'USD',
  price: '1000.00',
  startDate: '2020-01-01',
  endDate: '2099-12-31',
  ...changes,
})
const host = (changes: object = {}) => ({
  customerNumber: A,
  hostIdType: 'ETHERNET',
  hostId: `0242ac11${(++made).toString(16).padStart(4, '0')}`,
  hostName: `rules-${made}`,
  ...changes,
})

const limit = (changes: object = {}) => ({
  customerNumber: A,
  limitId: 'rules',
  subject: 'account',
  period: 'month',
  currency: 'AEU',
  refuseAt: '5.00',
  ...changes,
})

const codeOf = async (name: RecordKindName, record: object) => {
  const [line] = await portal.save(name, [record])
  return line?.code ?? line?.result
}
const revokeCode = async (name: RecordKindName, id: string) => {
  const [line] = await portal.revoke(name, [id])
  return line?.code ?? line?.result
}
const create = async <T extends object>(name: RecordKindName, record: T): Promise<T> => {
  expect(await codeOf(name, record)).toBe('created')
  return record
}

async function activate(
  { activationId }: { activationId: string },
  { hostId, hostName }: { hostId: string; hostName: string },
  count: number,
) {
  const asAda = await portal.as(ADA)
  const { body } = await asAda(createFulfillments, {
    body: {
      customerNumber: A,
      serverName: hostName,
      serverId: hostId,
      serverIdType: 'ETHERNET',
      activations: [{ id: activationId, count }],
    },
  })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return (body.data as { FulfillmentID: string }[])[0]?.FulfillmentID ?? ''
}

test.each<[RecordKindName, string, object, string]>([
  [
    'accounts',
    'a time zone that is none',
    { customerNumber: '910003', name: 'x', timeZone: 'Mars/Base' },
    'INVALID_RECORD',
  ],
  ['accounts', 'an empty name', { customerNumber: '910003', name: '' }, 'INVALID_RECORD'],
  ['accounts', 'a blank name', { customerNumber: '910003', name: '   ' }, 'INVALID_RECORD'],
  ['accounts', 'half of a character', { customerNumber: '910003', name: '\ud800' }, 'INVALID_RECORD'],
  ['accounts', 'an unknown field', { customerNumber: '910003', name: 'x', constructor: 1 }, 'INVALID_RECORD'],
  ['hosts', 'a leap second', host({ addedAt: '2026-01-01T23:59:60Z' }), 'INVALID_RECORD'],
  [
    'accounts',
    'a support address that is none',
    { customerNumber: '910003', name: 'x', supportEmail: 'x' },
    'INVALID_EMAIL',
  ],
  [
    'contacts',
    'an unknown account',
    { customerNumber: '999999', email: 'a@b.example', role: 'Licensing Portal Viewer' },
    'UNKNOWN_ACCOUNT',
  ],
  [
    'contacts',
    'an address that is none',
    { customerNumber: A, email: 'a b@c', role: 'Licensing Portal Viewer' },
    'INVALID_EMAIL',
  ],
  ['contacts', 'an unknown role', { customerNumber: A, email: 'a@b.example', role: 'Boss' }, 'INVALID_RECORD'],
  [
    'roles',
    'a role of staff on an account',
    { role: 'busops', customerNumber: A, email: 'a@b.example' },
    'INVALID_RECORD',
  ],
  ['roles', 'a right without an account', { role: 'sales-access', email: 'a@b.example' }, 'INVALID_RECORD'],
  [
    'roles',
    'a right on an unknown account',
    { role: 'sales-access', customerNumber: '999999', email: 'a@b.example' },
    'UNKNOWN_ACCOUNT',
  ],
  ['products', 'the name of another', { ...PRODUCT, partNumber: 'RUL9', itemNumber: 'other' }, 'NAME_TAKEN'],
  ['products', 'the item number of another', { ...PRODUCT, partNumber: 'RUL9', name: 'other' }, 'NAME_TAKEN'],
  ['products', 'no feature', { ...PRODUCT, featureNames: [] }, 'INVALID_RECORD'],
  [
    'rate-tables',
    'an unknown product',
    { rateTableVersion: 'R1', partNumber: 'NO', unitsPerHour: '1' },
    'UNKNOWN_PRODUCT',
  ],
  [
    'rate-tables',
    'a rate of 0',
    { rateTableVersion: 'R1', partNumber: PRODUCT.partNumber, unitsPerHour: '0.0' },
    'INVALID_RECORD',
  ],
  [
    'rate-tables',
    'a number instead of a text',
    { rateTableVersion: 'R1', partNumber: PRODUCT.partNumber, unitsPerHour: 1.5 },
    'INVALID_RECORD',
  ],
  [
    'price-lists',
    'a period that is none',
    { currency: 'USD', partNumber: PRODUCT.partNumber, days: 31, price: '1' },
    'INVALID_RECORD',
  ],
  [
    'price-lists',
    'a price of 0',
    { currency: 'USD', partNumber: PRODUCT.partNumber, days: 30, price: '0' },
    'INVALID_RECORD',
  ],
  [
    'price-lists',
    'three decimals',
    { currency: 'USD', partNumber: PRODUCT.partNumber, days: 30, price: '1.001' },
    'INVALID_RECORD',
  ],
  [
    'elastic-servers',
    'an unknown account',
    { serverId: 'r-1', customerNumber: '999999', alias: 'x' },
    'UNKNOWN_ACCOUNT',
  ],
  ['limits', 'an unknown account', limit({ customerNumber: '999999' }), 'UNKNOWN_ACCOUNT'],
  ['limits', 'no amount', limit({ refuseAt: null }), 'INVALID_RECORD'],
  ['limits', 'a warning above the refusal', limit({ warnAt: '5.01' }), 'INVALID_RECORD'],
  ['limits', 'a name that the subject does not have', limit({ project: 'Wing' }), 'INVALID_RECORD'],
  ['limits', 'days in the wrong order', limit({ from: '2026-12-02', to: '2026-12-01' }), 'INVALID_RECORD'],
  ['entitlements', 'an unknown account', sold({ customerNumber: '999999' }), 'UNKNOWN_ACCOUNT'],
  ['entitlements', 'an unknown product', sold({ partNumber: 'NO' }), 'UNKNOWN_PRODUCT'],
  [
    'entitlements',
    'an unknown rate table',
    sold({ licenseModel: 'Elastic-AEU', rateTableVersion: 'NOSUCH' }),
    'UNKNOWN_RATE_TABLE',
  ],
  ['entitlements', 'elastic units without a rate table', sold({ licenseModel: 'Elastic-AEU' }), 'INVALID_RECORD'],
  ['entitlements', 'an end before the start', sold({ endDate: '2019-12-31' }), 'INVALID_RECORD'],
  ['entitlements', 'a day that is none', sold({ endDate: '2026-02-30' }), 'INVALID_RECORD'],
  ['entitlements', 'an unknown spending account', sold({ fsaId: 'none', price: '1.00' }), 'UNKNOWN_CONTRACT'],
  ['entitlements', 'a manual entry without a spending account', sold({ isManual: true }), 'INVALID_RECORD'],
  ['fsa-contracts', 'an end before the start', contract({ endDate: '2019-12-31' }), 'INVALID_RECORD'],
  ['fsa-contracts', 'an unknown account', contract({ customerNumber: '999999' }), 'UNKNOWN_ACCOUNT'],
  ['hosts', 'an id that is none', host({ hostId: 'xyz' }), 'INVALID_RECORD'],
  ['hosts', 'a triad of two', host({ hostId: '0242ac110001,0242ac110002' }), 'INVALID_RECORD'],
  ['hosts', 'an unknown account', host({ customerNumber: '999999' }), 'UNKNOWN_ACCOUNT'],
])('%s refuse %s', async (name, _what, record, code) => {
  expect(await codeOf(name, record)).toBe(code)
})

test('a record that is the same in other words is unchanged', async () => {
  const made = await create(
    'entitlements',
    sold({ unitsPerLine: '5', price: '7.5', orderedAt: '2026-01-01T02:00:00+02:00' }),
  )
  expect(await codeOf('entitlements', { ...made, price: '7.50', orderedAt: '2026-01-01T00:00:00Z' })).toBe('unchanged')
  const server = await create('hosts', host({ hostId: '02-42-AC-11-FF-01' }))
  expect(await codeOf('hosts', { ...server, hostId: '0242ac11ff01' })).toBe('unchanged')
  expect(await portal.get('hosts', `${A}:ETHERNET:02:42:AC:11:FF:01`)).toMatchObject({ hostId: '0242ac11ff01' })
  expect(
    await codeOf('contacts', { customerNumber: A, email: ADA.toUpperCase(), role: 'Licensing Portal Administrator' }),
  ).toBe('unchanged')
})

test('an optional field that is left out stays as it is, null takes a value away', async () => {
  const full = await create('entitlements', sold({ poNumber: 'PO-1', versionDate: '2026-12-31' }))
  const { versionDate: _, poNumber: __, ...less } = full as typeof full & { versionDate: string; poNumber: string }
  const { quantity: _quantity, ...tooLittle } = less
  expect(await codeOf('entitlements', tooLittle)).toBe('INVALID_RECORD')
  expect(await codeOf('entitlements', { ...less, quantity: 11 })).toBe('changed')
  expect(await portal.get('entitlements', full.activationId)).toMatchObject({
    poNumber: 'PO-1',
    versionDate: '2026-12-31',
    quantity: 11,
  })
  expect(await codeOf('entitlements', { ...less, quantity: 11, endDate: null })).toBe('changed')
  expect(await portal.get('entitlements', full.activationId)).toMatchObject({
    endDate: null,
    productName: PRODUCT.name,
  })
})

test('the first of two records with one id and other values is taken', async () => {
  const first = sold()
  const lines = await portal.save('entitlements', [first, { ...first, quantity: 3 }])
  expect(lines.map(({ code, result }) => code ?? result)).toEqual(['created', 'DUPLICATE_RECORD'])
})

test('the audit log has what changed, for each record', async () => {
  const made = await create('entitlements', sold())
  await portal.save('entitlements', [{ ...made, quantity: 12 }])
  await portal.revoke('entitlements', [made.activationId])
  const entries = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'customer_number', 'principal', 'before', 'after'])
    .where('target', '=', made.activationId)
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'service/entitlements', customer_number: A, principal: 'service key', before: null, after: made },
    { action: 'service/entitlements', before: { quantity: 10 }, after: { quantity: 12 } },
    { action: 'service/entitlements/revoke', before: { state: 'Deployed' }, after: { state: 'Obsolete' } },
  ])
})

test('a quantity drops to what is activated and no lower, and what is activated is not revoked', async () => {
  const lease = await create('entitlements', sold())
  const server = await create('hosts', host())
  const fulfillmentId = await activate(lease, server, 4)
  const [line] = await portal.save('entitlements', [{ ...lease, quantity: 3 }])
  expect(line).toMatchObject({ code: 'QUANTITY_IN_USE', err: expect.stringContaining('4 seats are activated') })
  expect(await codeOf('entitlements', { ...lease, licenseModel: 'FSA' })).toBe('IN_USE')
  expect(await codeOf('entitlements', { ...lease, quantity: 4 })).toBe('changed')
  expect(await revokeCode('entitlements', lease.activationId)).toBe('IN_USE')
  const hostId = `${A}:ETHERNET:${server.hostId}`
  expect(await revokeCode('hosts', hostId)).toBe('HOST_ACTIVE')
  expect(await codeOf('hosts', { ...server, removedAt: '2026-01-01T00:00:00Z' })).toBe('HOST_ACTIVE')

  const asAda = await portal.as(ADA)
  const returned = await asAda(returnFulfillments, {
    body: { customerNumber: A, activations: [{ id: fulfillmentId, count: -4 }] },
  })
  expect(returned.body).toMatchObject({ status: 'SUCCESS' })
  expect(await revokeCode('entitlements', lease.activationId)).toBe('changed')
  expect(await revokeCode('entitlements', lease.activationId)).toBe('unchanged')
  expect(await revokeCode('hosts', hostId)).toBe('changed')
  expect(await revokeCode('hosts', hostId)).toBe('unchanged')
  expect(await portal.get('hosts', hostId)).toMatchObject({ removedAt: portal.clock.now().toISOString() })
})

test('a quantity drops to the assigned named users and no lower', async () => {
  const named = await create('entitlements', sold({ licenseModel: 'Named User', quantity: 5 }))
  const emails = ['ann@rules.example', 'bob@rules.example']
  await portal.db
    .insertInto('web_user')
    .values(emails.map((email) => ({ customer_number: A, email, added_at: new Date(), added_by: 'a test' })))
    .execute()
  const assigned = await (await portal.as(ADA))(assignWebLicenses, {
    body: { customerNumber: A, activationIds: [named.activationId], emails },
  })
  expect(assigned.body, JSON.stringify(assigned.body)).toMatchObject({ status: 'SUCCESS' })
  expect(await codeOf('entitlements', { ...named, quantity: 1 })).toBe('QUANTITY_IN_USE')
  expect(await codeOf('entitlements', { ...named, quantity: 2 })).toBe('changed')
  expect(await revokeCode('entitlements', named.activationId)).toBe('IN_USE')
})

test('an activation id, and an elastic server, stay with their account', async () => {
  const lease = await create('entitlements', sold())
  expect(await codeOf('entitlements', { ...lease, customerNumber: B })).toBe('OTHER_ACCOUNT')
  const server = await create('elastic-servers', { serverId: 'rules-els', customerNumber: A, alias: 'One' })
  expect(await codeOf('elastic-servers', { ...server, customerNumber: B })).toBe('OTHER_ACCOUNT')
  expect(await codeOf('elastic-servers', { ...server, alias: 'Two' })).toBe('changed')
  expect(await revokeCode('elastic-servers', 'rules-els')).toBe('removed')
  expect(await codeOf('elastic-servers', { ...server, customerNumber: B })).toBe('created')
  // The refused record has left no claim behind.
  expect(await codeOf('entitlements', sold({ activationId: 'rules-claim', endDate: '2019-01-01' }))).toBe(
    'INVALID_RECORD',
  )
  expect(await codeOf('entitlements', sold({ activationId: 'rules-claim', customerNumber: B }))).toBe('created')
})

test('orders draw on their spending account to the cent, and its price stays above them', async () => {
  const fsa = await create('fsa-contracts', contract())
  const order = (price: string) => sold({ fsaId: fsa.fsaId, price, licenseModel: 'FSA' })
  const lines = await portal.save('entitlements', [order('600.00'), order('400.01'), order('400.00')])
  expect(lines.map(({ code, result }) => code ?? result)).toEqual(['created', 'INSUFFICIENT_BALANCE', 'created'])
  expect(lines[1]?.err).toContain('400.00 left')
  expect(await codeOf('entitlements', { ...order('1.00'), currency: 'EUR' })).toBe('UNKNOWN_CONTRACT')
  expect(await codeOf('entitlements', { ...order('1.00'), price: null })).toBe('INVALID_RECORD')
  const [line] = await portal.save('fsa-contracts', [{ ...fsa, price: '999.99' }])
  expect(line).toMatchObject({ code: 'PRICE_BELOW_ORDERED', err: expect.stringContaining('1000.00 USD') })
  expect(
    await portal.save('entitlements', [{ ...order('1.00'), activationId: lines[0]?.id, price: null }]),
  ).toMatchObject([{ code: 'INVALID_RECORD', err: 'An order from a spending account has a price.' }])
  expect(await portal.save('fsa-contracts', [{ ...fsa, endDate: '2099-12-30' }])).toMatchObject([
    { code: 'END_BEFORE_ORDERED', err: 'The end cannot move to 2099-12-30: an order from it ends on 2099-12-31.' },
  ])
  expect(await codeOf('fsa-contracts', { ...fsa, startDate: '2020-01-02' })).toBe('START_AFTER_ORDERED')
  expect(await codeOf('fsa-contracts', { ...fsa, fsaId: 'FSA-other' })).toBe('IN_USE')
  expect(await codeOf('fsa-contracts', { ...fsa, currency: 'EUR' })).toBe('IN_USE')
  expect(await revokeCode('fsa-contracts', fsa.activationId)).toBe('IN_USE')
  expect(await portal.revoke('entitlements', [lines[0]?.id ?? '', lines[2]?.id ?? ''])).toMatchObject([
    { result: 'changed' },
    { result: 'changed' },
  ])
  expect(await codeOf('fsa-contracts', { ...fsa, price: '0.01', endDate: '2021-12-31' })).toBe('changed')
  expect(await revokeCode('fsa-contracts', fsa.activationId)).toBe('changed')
})

test('an order lies within its spending account, unless it did not before and keeps its dates', async () => {
  const fsa = await create('fsa-contracts', contract({ startDate: '2026-01-01', endDate: '2026-12-31' }))
  const order = (changes: object) =>
    sold({
      fsaId: fsa.fsaId,
      price: '1.00',
      licenseModel: 'FSA',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      ...changes,
    })
  expect(await portal.save('entitlements', [order({ endDate: '2027-01-01' })])).toMatchObject([
    {
      code: 'OUTSIDE_CONTRACT',
      err: `The order is from 2026-01-01 to 2027-01-01, but the spending account ${fsa.fsaId} from 2026-01-01 to 2026-12-31.`,
    },
  ])
  expect(await codeOf('entitlements', order({ startDate: '2025-12-31' }))).toBe('OUTSIDE_CONTRACT')
  expect(await codeOf('entitlements', order({ endDate: '2027-01-01', state: 'Obsolete' }))).toBe('created')
  const within = await create('entitlements', order({}))
  expect(await codeOf('entitlements', { ...within, endDate: '2027-01-01' })).toBe('OUTSIDE_CONTRACT')
  await portal.db
    .updateTable('entitlement')
    .set({ end_date: '2027-01-01' })
    .where('activation_id', '=', within.activationId)
    .execute()
  const outside = { ...within, endDate: '2027-01-01' }
  expect(await codeOf('entitlements', outside)).toBe('unchanged')
  expect(await codeOf('entitlements', { ...outside, poNumber: 'PO-2' })).toBe('changed')
  expect(await codeOf('fsa-contracts', { ...fsa, price: '900.00' })).toBe('changed')
})

test('spending accounts of one account have different ids, and their addresses count as a change', async () => {
  const fsa = await create('fsa-contracts', contract())
  expect(await codeOf('fsa-contracts', contract({ fsaId: fsa.fsaId }))).toBe('VALUE_TAKEN')
  const { changedAt } = await portal.get('fsa-contracts', fsa.activationId)
  expect(await codeOf('fsa-contracts', { ...fsa, businessOperationsEmails: ['Ops@Vendor.example'] })).toBe('changed')
  const read = await portal.get('fsa-contracts', fsa.activationId)
  expect(read.businessOperationsEmails).toEqual(['ops@vendor.example'])
  expect(String(read.changedAt) >= String(changedAt)).toBe(true)
  expect(await codeOf('entitlements', sold({ activationId: fsa.activationId }))).toBe('VALUE_TAKEN')
})

test('products that are sold, rated or priced stay in the catalog, and so do rates in use', async () => {
  const { partNumber } = await create('products', {
    ...PRODUCT,
    partNumber: 'RUL2',
    name: 'Second',
    itemNumber: '91-2',
  })
  const rate = await create('rate-tables', { rateTableVersion: 'RULES1', partNumber, unitsPerHour: '7.5' })
  const price = await create('price-lists', { currency: 'USD', partNumber, days: 30, price: '10' })
  const elastic = await create(
    'entitlements',
    sold({ partNumber, licenseModel: 'Elastic-AEU', rateTableVersion: 'RULES1' }),
  )
  expect(await revokeCode('products', partNumber)).toBe('IN_USE')
  expect(await revokeCode('rate-tables', `RULES1:${partNumber}`)).toBe('IN_USE')
  await portal.revoke('entitlements', [elastic.activationId])
  expect(await revokeCode('rate-tables', `${rate.rateTableVersion}:${partNumber}`)).toBe('removed')
  expect(await revokeCode('price-lists', `${price.currency}:${partNumber}:30`)).toBe('removed')
  expect(await revokeCode('price-lists', `${price.currency}:${partNumber}:30`)).toBe('unchanged')
  expect(await revokeCode('products', partNumber)).toBe('IN_USE')
  const unused = await create('products', { ...PRODUCT, partNumber: 'RUL3', name: 'Third', itemNumber: '91-3' })
  expect(await codeOf('products', { ...unused, name: PRODUCT.name })).toBe('NAME_TAKEN')
  expect(await revokeCode('products', 'RUL3')).toBe('removed')
})

test('export control, disabled access and rights count for people from the next call on', async () => {
  const asAda = await portal.as(ADA)
  const info = async () => (await asAda(getAccountInfo, { params: { customerNumber: A } })).body.data
  const order = async () =>
    (await asAda(orderEntitlements, { body: { customerNumber: A, fsaID: 'none', products: [] } })).status
  expect(await order()).not.toBe(403)
  expect(await codeOf('accounts', { customerNumber: A, name: 'Rules A', exportControlStatus: 'denied' })).toBe(
    'changed',
  )
  expect(await order()).toBe(403)
  expect(await codeOf('accounts', { customerNumber: A, name: 'Rules A', exportControlStatus: 'approved' })).toBe(
    'changed',
  )
  expect(await revokeCode('accounts', A)).toBe('changed')
  expect(await info()).toMatchObject({ isAccessDisabled: true })
  expect(await codeOf('accounts', { customerNumber: A, name: 'Rules A' })).toBe('unchanged')
  expect(await codeOf('accounts', { customerNumber: A, name: 'Rules A', isAccessDisabled: false })).toBe('changed')
  expect(await revokeCode('accounts', 'no-such')).toBe('NOT_FOUND')
  expect(await revokeCode('contacts', `${A}:${ADA}`)).toBe('removed')
  expect((await asAda(getAccountInfo, { params: { customerNumber: A } })).status).toBe(404)
  expect(await codeOf('contacts', { customerNumber: A, email: ADA, role: 'Licensing Portal Administrator' })).toBe(
    'created',
  )
})

test('roles of staff and rights on accounts are one list, page by page', async () => {
  const email = 'page@vendor.example'
  const records = [
    { role: 'admin', customerNumber: '', email },
    { role: 'fnp-license-generator', customerNumber: A, email },
    { role: 'sales', customerNumber: '', email },
    { role: 'sales-access', customerNumber: A, email },
    { role: 'sales-access', customerNumber: B, email },
  ]
  const since = new Date().toISOString()
  expect((await portal.save('roles', records)).every(({ result }) => result === 'created')).toBe(true)
  const own = (rows: readonly Record<string, unknown>[]) =>
    rows.filter((row) => row.email === email).map(({ changedAt: _, ...row }) => row)
  expect(own(await portal.listAll('roles'))).toEqual(records)
  expect(own(await portal.changes('roles', since, 1))).toHaveLength(records.length)
  expect(await revokeCode('roles', `admin:${A}:${email}`)).toBe('unchanged')
  expect(await revokeCode('roles', `admin::${email}`)).toBe('removed')
  expect(await revokeCode('roles', `sales-access:${B}:${email}`)).toBe('removed')
  expect(own(await portal.listAll('roles'))).toEqual(records.slice(1, 4))
})

test('limits of the same subject may not hold on the same days, and a save of a limit is a new revision of all', async () => {
  const revision = async () => {
    const row = await portal.db
      .selectFrom('saved_revision')
      .select('revision')
      .where('customer_number', '=', A)
      .where('subject', '=', 'limits')
      .executeTakeFirst()
    return row?.revision ?? 0
  }
  const before = await revision()
  await create('limits', limit({ to: '2026-12-31' }))
  expect(await codeOf('limits', limit({ limitId: 'second' }))).toBe('INVALID_RECORD')
  await create('limits', limit({ limitId: 'second', from: '2027-01-01' }))
  expect(await codeOf('limits', limit({ refuseAt: '6' }))).toBe('changed')
  expect(await codeOf('limits', limit({ refuseAt: '6.00' }))).toBe('unchanged')
  expect(await revision()).toBe(before + 3)
  for (const id of ['rules', 'second']) expect(await revokeCode('limits', `${A}:${id}`)).toBe('removed')
})
