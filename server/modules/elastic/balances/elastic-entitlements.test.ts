import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getEntitlements, getMonthlyDraw } from '#contract/elastic/balances/elastic-entitlements.ts'
import { type ElasticEntitlement, elasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const AERODYNE = '100001'
const of = (purpose: string, customerNumber = AERODYNE) => activationId({ customerNumber, purpose })

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

async function loadElastic(customerNumber: string): Promise<ElasticEntitlement[]> {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const { body } = await olivia(getEntitlements, { body: { customerNumber, customername: 'Whatever' } })
  return body.data as ElasticEntitlement[]
}

type Draw = { month: string; used: number }[]

async function loadDraw(customerNumber: string, ...ids: string[]): Promise<Record<string, Draw>> {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const { body } = await olivia(getMonthlyDraw, { body: { customerNumber, activationId: ids } })
  return body.data as Record<string, Draw>
}

/** In hundredths, so that sums are exact. */
const cents = (amount: number) => Math.round(amount * 100)

test('used is the sum of the booked charges, for every elastic entitlement of the demo', async () => {
  const { rows } = await sql<{ customer_number: string; activation_id: string; charges: string | null }>`
    select e.customer_number, e.activation_id,
           (select sum(u.charge) from usage_transaction u
             where u.customer_number = e.customer_number and u.activation_id = e.activation_id) as charges
      from entitlement e join account a using (customer_number)
     where e.kind = 'ELASTIC' and e.state = 'Deployed' and lower(a.export_control_status) in ('', 'approved')`.execute(
    portal.db,
  )
  expect(rows.filter(({ charges }) => Number(charges) > 0).length).toBeGreaterThan(10)
  const used = new Map<string, number>()
  for (const customerNumber of new Set(rows.map((row) => row.customer_number)))
    for (const one of await loadElastic(customerNumber)) used.set(one.ActivationId, one.Used)
  expect([...used.keys()].sort()).toEqual(rows.map((row) => row.activation_id).sort())
  for (const row of rows) expect(used.get(row.activation_id), row.activation_id).toBe(Number(row.charges ?? 0))
})

test('the months of a draw add up to what is used', async () => {
  const all = await loadElastic(AERODYNE)
  const draws = await loadDraw(AERODYNE, ...all.map((one) => one.ActivationId))
  expect(Object.keys(draws)).toHaveLength(all.length)
  for (const { ActivationId, Used } of all) {
    const months = draws[ActivationId] ?? []
    expect(months.reduce((sum, { used }) => sum + cents(used), 0)).toBe(cents(Used))
    expect(months.map(({ month }) => month)).toEqual([...new Set(months.map(({ month }) => month))].sort())
  }
})

test('what is booked is used at once, and what is corrected no longer', async () => {
  const id = of('elastic, unused')
  const usedNow = async () => (await loadElastic(AERODYNE)).find((one) => one.ActivationId === id)?.Used
  const before = cents((await usedNow()) ?? 0)
  const server = await portal.db
    .selectFrom('elastic_server')
    .select('device_id')
    .where('customer_number', '=', AERODYNE)
    .executeTakeFirstOrThrow()
  const end = portal.clock.now()
  const session = {
    customer_number: AERODYNE,
    server_id: server.device_id,
    session_id: 's-1',
    session_status: 'ended',
    started_at: new Date(end.getTime() - 3_600_000),
    ends_at: end,
    product: 'Solver',
    product_count: 1,
    feature_count: 1,
    user_name: 'ada',
    host: 'h',
    process_id: null,
    project: null,
    cloud_job_id: null,
    internal_ip: null,
    external_ip: null,
    activation_id: id,
    currency: 'AEU',
  }
  const booked = await portal.db
    .insertInto('usage_transaction')
    .values({ ...session, charge: '12.34' })
    .returning('transaction_number')
    .executeTakeFirstOrThrow()
  expect(cents((await usedNow()) ?? 0)).toBe(before + 1234)
  await portal.db
    .insertInto('usage_transaction')
    .values({ ...session, charge: '-2.34', corrects: booked.transaction_number })
    .execute()
  expect(cents((await usedNow()) ?? 0)).toBe(before + 1000)
  const today = dayIn('Europe/Berlin', end)
  expect((await loadDraw(AERODYNE, id))[id]?.at(-1)).toEqual({ month: today.slice(0, 7), used: (before + 1000) / 100 })
})

test('the demo data has every state that the screen can show', async () => {
  const today = dayIn('Europe/Berlin', portal.clock.now())
  const rows = new Map((await loadElastic(AERODYNE)).map((one) => [one.ActivationId, elasticRow(one, today)]))
  const shown = (purpose: string) => {
    const row = rows.get(of(purpose))
    return { active: row?.isActive, remaining: row?.remainingdays, color: row?.usedpercentagecolor }
  }
  expect(shown('elastic, used up')).toEqual({ active: false, remaining: 21, color: 'red' })
  expect(shown('elastic, 95 % used')).toEqual({ active: true, remaining: 56, color: 'red' })
  expect(shown('elastic, 80 % used')).toEqual({ active: true, remaining: 111, color: 'orange' })
  expect(shown('elastic, partly used')).toEqual({ active: true, remaining: 215, color: 'green' })
  expect(shown('elastic, ends today')).toMatchObject({ active: true, remaining: 1 })
  expect(shown('elastic, expired yesterday')).toMatchObject({ active: false, remaining: 'EXPIRED' })
  expect(shown('elastic, starts tomorrow')).toMatchObject({ active: false, remaining: 'NOT STARTED' })
  expect(rows.get(of('elastic, used up'))?.usedpercentage).toBe(100)
  expect(rows.get(of('elastic, partly used'))?.ansysratetableversion).toBe('2026R1')
})

test('entitlements that end last come first, and undeployed ones are left out', async () => {
  const rows = await loadElastic(AERODYNE)
  const ends = rows.map((row) => row.EndDate ?? '')
  expect(ends).toEqual([...ends].sort().reverse())
  expect(rows.map((row) => row.ActivationId)).not.toContain(of('elastic, not yet deployed'))
  expect(rows[0]).toEqual({
    ActivationId: of('elastic, starts tomorrow'),
    'CA[ENT|ansysproduct]': 'Elastic Units',
    'CA[ENT|ansyscount]': 10_000,
    'CA[ENT|ansysratetableversion]': '2026R1.3',
    'CA[ENT|ansysponum]': expect.stringMatching(/^PO-45/),
    LineItemQuantity: 5,
    StartDate: expect.any(String),
    EndDate: expect.any(String),
    Currency: 'AEU',
    Used: 0,
    LicenseModel: 'Elastic-AEU',
    EntitlementState: 'Deployed',
  })
})

test('an account without elastic units has an empty list', async () => {
  expect(await loadElastic('100006')).toEqual([])
})

test.each([
  ['a lease', of('thousands')],
  ['what is not deployed', of('elastic, not yet deployed')],
  ['another account’s', of('elastic, nearly used up', '100007')],
  ['what never was', 'no-such-id'],
])('there is no draw on %s', async (_name, id) => {
  expect(await loadDraw(AERODYNE, id)).toEqual({})
})
