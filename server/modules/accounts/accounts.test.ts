import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountList, customerAccountList } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { onCitus } from '#server/testing/database.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const ids = (data: unknown) => (data as { AccountID: string }[]).map((account) => account.AccountID)
const contains = (value: string) => ({
  condition: 'ANY',
  criteria: [
    { name: 'AccountName', method: 'CONTAINS', value, casefold: true },
    { name: 'AccountID', method: 'CONTAINS', value, casefold: true },
  ],
})

test.each([
  ['ada.admin@aerodyne.example', ['100001', '100002']],
  ['greta.generator@partner.example', ['100003']],
  ['saul.access@partner.example', ['100003']],
  ['sol.single@bluewater.example', ['100006']],
  ['ned.nobody@nowhere.example', []],
])('%s sees exactly %j', async (email, accounts) => {
  const call = await portal.as(email)
  expect(ids((await call(accountList.page, { body: {} })).body.data)).toEqual(accounts)
  expect(ids((await call(customerAccountList.page, { body: { limit: 100 } })).body.data)).toEqual(accounts)
  expect((await call(accountList.count, { body: {} })).body.data).toBe(accounts.length)
})

test('staff see every account, page by page', async () => {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const total = (await olivia(accountList.count, { body: {} })).body.data as number
  expect(total).toBeGreaterThan(1240)
  const seen: string[] = []
  let token: unknown = null
  do {
    const answer = await olivia(accountList.page, { body: { limit: 500, ...(token ? { token } : {}) } })
    seen.push(...ids(answer.body.data))
    token = answer.body.token
  } while (token)
  expect(seen).toHaveLength(total)
  expect(new Set(seen).size).toBe(total)
  expect(seen).toEqual([...seen].sort())
})

test('a search matches number and name, ignoring case', async () => {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const search = async (text: string) =>
    ids((await olivia(accountList.page, { body: { filter: contains(text) } })).body.data)
  expect(await search('AERODYNE')).toEqual(['100001', '100002'])
  expect(await search('00008')).toContain('100008')
  expect(await search('100_')).toEqual([])
  expect(await search("' or 1=1 --")).toEqual([])
})

test('a token continues its own page, and is refused for any other request', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const olivia = await portal.as('olivia.ops@vendor.example')
  const first = await ada(accountList.page, { body: { limit: 1 } })
  const token = first.body.token
  expect(ids((await ada(accountList.page, { body: { limit: 1, token } })).body.data)).toEqual(['100002'])
  for (const attempt of [
    olivia(accountList.page, { body: { token } }),
    ada(accountList.page, { body: { token, filter: contains('a') } }),
    ada(accountList.page, { body: { token: `${String(token).slice(0, -2)}AA` } }),
  ])
    expect(await attempt).toMatchObject({ status: 400, body: { err: expect.stringContaining('continuation token') } })
})

test('lists distinct names, and refuses too many of them', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  expect((await ada(accountList.distinct, { body: {} })).body.data).toEqual(['Aerodyne Motors', 'Aerodyne Racing'])
  expect((await ada(accountList.distinct, { body: { key: 'AccountID' } })).body.data).toEqual(['100001', '100002'])
  const olivia = await portal.as('olivia.ops@vendor.example')
  expect(await olivia(accountList.distinct, { body: {} })).toMatchObject({
    status: 200,
    body: { status: 'FAILURE', code: 'TOO_MANY_DISTINCT', err: 'Too many distinct values' },
  })
})

describe('writable accounts', () => {
  test.each([
    ['ada.admin@aerodyne.example', '100001', ['100001', '100002']],
    ['cora.coordinator@aerodyne.example', '100001', ['100001']],
    ['vic.viewer@aerodyne.example', '100001', []],
    ['greta.generator@partner.example', '100003', ['100003']],
    ['saul.access@partner.example', '100003', []],
    ['sam.support@vendor.example', '100001', []],
  ])('of %s on %s are %j', async (email, customerNumber, accounts) => {
    const call = await portal.as(email)
    expect(ids((await call(writableAccounts, { body: { customerNumber, limit: 100 } })).body.data)).toEqual(accounts)
  })

  test('are all accounts without export denial for busops', async () => {
    const olivia = await portal.as('olivia.ops@vendor.example')
    const accounts = ids((await olivia(writableAccounts, { body: { customerNumber: '100001', limit: 10 } })).body.data)
    expect(accounts).toContain('100003')
    expect(accounts).not.toContain('100004')
  })
})

test('account info shows the role of the caller and the holdings of the account', async () => {
  const info = async (email: string, customerNumber: string) =>
    (await (await portal.as(email))(getAccountInfo, { params: { customerNumber } })).body.data
  expect(await info('ada.admin@aerodyne.example', '100001')).toMatchObject({
    customerNumber: '100001',
    isPortalEdit: true,
    isAsc: false,
    hasSSL: true,
    hasFSA: true,
    orgType: 'Direct',
    ansysExportControlStatus: 'Approved',
    timeZone: 'Europe/Berlin',
  })
  expect(await info('greta.generator@partner.example', '100003')).toMatchObject({
    isFNPLicenseGenerator: true,
    orgType: 'Channel',
  })
  expect(await info('sara.sales@vendor.example', '100006')).toMatchObject({
    isSales: true,
    hasElastic: 0,
    orgType: 'Indirect',
  })
  expect(await info('hal.heritage@heritage.example', '100008')).toMatchObject({ isAccessDisabled: true })
  expect(await info('ella.export@restricted.example', '100004')).toMatchObject({ ansysExportControlStatus: 'Pending' })
})

describe('an account whose only entitlements are manual drawdowns of a spending account', () => {
  const customerNumber = '700001'
  const activationIds = ['drawdown-1', 'drawdown-2', 'drawdown-3']

  beforeAll(async () => {
    await portal.db
      .insertInto('account')
      .values({ customer_number: customerNumber, name: 'Drawdown Only', org_type: 'Direct' })
      .execute()
    const names = [
      ['Flexible Spending Account Manual Drawdown', false],
      ['Ansys Flexible Spending Account Manual Drawdown', false],
      ['A line that business operations typed by hand', true],
    ] as const
    await portal.db
      .insertInto('activation_owner')
      .values(activationIds.map((activation_id) => ({ customer_number: customerNumber, activation_id })))
      .execute()
    for (const [index, [product_name, is_manual]] of names.entries())
      await portal.db
        .insertInto('entitlement')
        .values({
          customer_number: customerNumber,
          activation_id: activationIds[index] ?? '',
          entitlement_id: `ENT-${index}`,
          part_number: 'FSA-MD',
          product_name,
          license_model: 'Network',
          subtype: 'FSA',
          fsa_id: 'ENT-FSA',
          line_item_quantity: 1,
          start_date: '2020-01-01',
          end_date: '2099-12-31',
          is_manual,
        })
        .execute()
  })

  test('has no SSL, and therefore offers no activations', async () => {
    const olivia = await portal.as('olivia.ops@vendor.example')
    const info = await olivia(getAccountInfo, { params: { customerNumber } })
    expect(info.body.data).toMatchObject({
      hasSSL: false,
      hasFSA: false,
      hasSharedLicense: false,
      hasNamedLicense: false,
      hasElastic: 0,
    })
  })

  test('has no seats to count or to show', async () => {
    const olivia = await portal.as('olivia.ops@vendor.example')
    const counts = await olivia(countFulfillments, { body: { customerNumber, activationId: activationIds } })
    expect(counts.body.data).toEqual({})
    for (const activationId of activationIds)
      expect((await olivia(fulfillmentHosts, { body: { customerNumber, activationId } })).status).toBe(404)
  })
})

test('today is the day in the time zone of the account', async () => {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const todays = new Set<unknown>()
  for (const customerNumber of ['100001', '100002', '100006'])
    todays.add(((await olivia(getAccountInfo, { params: { customerNumber } })).body.data as { today: string }).today)
  for (const day of todays) expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test.skipIf(onCitus())('account search over 100,000 accounts uses an index', async () => {
  // A slow machine needs longer for all at once than any statement may take.
  for (let first = 1; first < 100_000; first += 10_000)
    await sql`insert into account (customer_number, name, org_type)
      select (900000000 + i)::text, 'Synthetic ' || md5(i::text), 'Direct'
        from generate_series(${first}::int, ${first + 9_999}::int) i`.execute(portal.db)
  await sql`analyze account`.execute(portal.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
    select a.name, a.customer_number from account a
     where lower(a.name collate "C") like '%aerodyne%' or lower(a.customer_number collate "C") like '%aerodyne%'
     order by a.customer_number collate "C" limit 21`.execute(portal.db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('account_name_search')
  expect(plan).toContain('account_number_search')
  expect(plan).not.toContain('Seq Scan')
  const { rows: pages } = await sql<{ 'QUERY PLAN': string }>`explain
    select a.name, a.customer_number from account a order by a.customer_number collate "C" limit 21`.execute(portal.db)
  expect(pages.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using account_pkey')
})
