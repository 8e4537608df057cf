import type { Kysely, Selectable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysBetween } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { DEMO_PARTS, loadDemo } from '#server/demo/load-demo.ts'
import { freshDatabase } from '#server/testing/database.ts'

type Entitlement = Selectable<DB['entitlement']>

/** Entitlements, and the parts that they need. */
const PARTS = DEMO_PARTS.slice(0, DEMO_PARTS.findIndex(({ name }) => name === 'entitlements') + 1)

/** Instants at which calendars are tricky, with the day in Berlin. */
const HARD_DAYS: readonly (readonly [name: string, now: string, today: string])[] = [
  ['an ordinary day', '2026-11-15T12:00:00Z', '2026-11-15'],
  ['29 February', '2028-02-29T12:00:00Z', '2028-02-29'],
  ['31 December', '2026-12-31T12:00:00Z', '2026-12-31'],
  ['1 January in Berlin, still December in UTC', '2026-12-31T23:30:00Z', '2027-01-01'],
  ['the night when clocks go forward', '2027-03-28T00:59:59Z', '2027-03-28'],
  ['the night when clocks go back', '2026-10-24T22:00:00Z', '2026-10-25'],
]

const DEPLOYED = (row: Entitlement) => row.state === 'Deployed'

function termState(row: Entitlement, today: string): string {
  if (row.is_permanent) return row.version_date! < today ? 'permanent, maintenance ended' : 'permanent, maintained'
  if (row.start_date > today) return 'not started'
  const remaining = daysBetween(today, row.end_date!) + 1
  if (remaining === 0) return 'expired yesterday'
  if (remaining < 0) return 'expired'
  if (remaining === 1) return 'ends today'
  return remaining <= 30 ? '30 days or fewer' : remaining <= 90 ? '90 days or fewer' : 'more than 90 days'
}

const LEASE_STATES = [
  '30 days or fewer',
  '90 days or fewer',
  'ends today',
  'expired',
  'expired yesterday',
  'more than 90 days',
  'not started',
  'permanent, maintained',
  'permanent, maintenance ended',
]

const LICENSE_MODELS =
  'Annual,Ansoft,Ansoft Borrow,Apache,ConcurrentProduct,Evaluation,FSA,Fluent,Helic,Named User,Network,Network Testing,' +
  'Node Locked,Orbital Token,Pay-Per-Use,Sequence,Shared Web'

const sorted = (values: Iterable<string>) => [...new Set(values)].sort()

describe.each(HARD_DAYS)('on %s', (_name, now, today) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let all: Entitlement[]
  const of = (customerNumber: string) => all.filter((row) => row.customer_number === customerNumber && DEPLOYED(row))

  beforeAll(async () => {
    database = await freshDatabase()
    await loadDemo(database.db, { now: new Date(now), usageTransactions: 0, progress: () => {}, parts: PARTS })
    all = await database.db.selectFrom('entitlement').selectAll().execute()
  })
  afterAll(() => database.close())

  it('Aerodyne has leases and perpetuals in every state', () => {
    const leases = of('100001').filter((row) => row.kind === 'SSL' && row.fsa_id === null)
    expect(leases.length).toBeGreaterThan(100)
    expect(leases.length).toBeLessThan(140)
    expect(sorted(leases.map((row) => termState(row, today)))).toEqual(LEASE_STATES)
    expect(leases.some((row) => row.type === 'Evaluation' && row.end_date! >= today)).toBe(true)
    expect(leases.some((row) => row.is_borrowable)).toBe(true)
    expect(leases.some((row) => row.product_name.includes('(NODE)') && row.license_model === 'Network')).toBe(true)
    expect(leases.some((row) => row.line_item_quantity > 999)).toBe(true)
    for (const awkward of ['é', ',', '"', "'", '<script>'])
      expect(leases.some((row) => row.product_name.includes(awkward))).toBe(true)
  })

  it('Aerodyne has an active lease of every license model', () => {
    const running = of('100001').filter((row) => row.kind !== 'ELASTIC' && row.start_date <= today)
    const active = running.filter((row) => row.is_permanent || row.end_date! >= today)
    expect(sorted(active.map((row) => row.license_model)).join(',')).toBe(LICENSE_MODELS)
    const deployed = of('100001').map((row) => row.state)
    expect(deployed.length).toBeLessThan(all.filter((row) => row.customer_number === '100001').length)
  })

  it('Aerodyne has active, expired and upcoming elastic entitlements', () => {
    const elastic = of('100001').filter((row) => row.kind === 'ELASTIC')
    const states = elastic.map((row) => termState(row, today))
    expect(states).toEqual(expect.arrayContaining(['expired yesterday', 'ends today', 'not started']))
    expect(states.filter((state) => /\d+ days/.test(state)).length).toBeGreaterThanOrEqual(4)
    for (const row of elastic) expect(Number(row.units_per_line) * row.line_item_quantity).toBeGreaterThan(0)
    expect(sorted(elastic.map((row) => row.rate_table_version))).toEqual(['2025R2.1', '2026R1.3'])
  })

  it('the elastic entitlements of the usage showcase exist, those used most ending first', () => {
    const ends = ['used up', '95 % used', '80 % used', 'partly used'].map((state) => {
      const id = activationId({ customerNumber: '100001', purpose: `elastic, ${state}` })
      return of('100001').find((row) => row.activation_id === id)?.end_date
    })
    expect(ends).not.toContain(undefined)
    expect(ends).toEqual([...ends].sort())
  })

  it('Aerodyne has spending accounts in every state, each with what was ordered from it', async () => {
    const orders = of('100001').filter((row) => row.fsa_id !== null)
    const offered = new Set(await pricedCurrencies(database.db))
    const states = of('100001')
      .filter((row) => row.kind === 'FSA')
      .map((contract) => {
        if (!offered.has(contract.currency)) return 'without products'
        const used = spent(orders.filter((order) => order.fsa_id === contract.entitlement_id))
        const total = cents(contract.price)
        expect(used).toBeLessThanOrEqual(total)
        if (contract.start_date > today) return 'not started'
        if (contract.end_date! < today) return 'expired'
        return used === total ? 'used up' : `active, ${used / total >= 0.8 ? 'over' : 'under'} 80 %`
      })
    expect(states.sort()).toEqual(
      ['active, over 80 %', 'active, under 80 %', 'expired', 'not started', 'used up', 'without products'].sort(),
    )
  })

  it('orders lie within the term of their contract, at catalog prices', async () => {
    const prices = await database.db.selectFrom('fsa_price').selectAll().execute()
    const contracts = new Map(of('100001').map((row) => [row.entitlement_id, row]))
    const orders = of('100001').filter((row) => row.fsa_id !== null)
    expect(sorted(orders.filter((row) => row.is_manual).map((row) => row.product_name))).toEqual([
      'Ansys Flexible Spending Account Manual Drawdown',
      'Flexible Spending Account Manual Drawdown',
    ])
    for (const order of orders) {
      const contract = contracts.get(order.fsa_id!)!
      expect(order.start_date >= contract.start_date && order.end_date! <= contract.end_date!).toBe(true)
      expect(order.currency).toBe(contract.currency)
      expect(order.ordered_at! < new Date(now)).toBe(true)
      expect(order.requester_email).toMatch(/@(aerodyne|vendor)\.example$/)
      if (order.is_manual) continue
      const days = daysBetween(order.start_date, order.end_date!) + 1
      const price = prices.find(
        (one) => one.part_number === order.part_number && one.currency === order.currency && one.days === days,
      )
      expect(cents(order.price)).toBe(cents(price!.price) * order.line_item_quantity)
    }
  })

  it('each other named account has the entitlement kinds of its story', () => {
    const kinds = (customerNumber: string) => sorted(of(customerNumber).map((row) => row.kind))
    expect(kinds('100002')).toEqual(['SSL'])
    expect(kinds('100003')).toEqual(['FSA', 'SSL'])
    expect(kinds('100006')).toEqual(['SSL'])
    expect(of('100006').every((row) => row.type === 'Lease')).toBe(true)
    expect(kinds('100007')).toEqual(['ELASTIC'])
    expect(kinds('200002')).toEqual(['FSA'])
    const heritage = of('100008').map((row) => (row.is_permanent ? 'permanent' : termState(row, today)))
    expect(sorted(heritage.map((state) => state.replace(' yesterday', '')))).toEqual(['expired', 'permanent'])
    const holders = sorted(all.map((row) => row.customer_number)).filter((number) => number >= '200001')
    expect(holders.length).toBeGreaterThan(24)
  })

  it('every entitlement is for a product of the catalog and was bought in the past', async () => {
    const products = await database.db.selectFrom('product').select(['part_number', 'name']).execute()
    const names = new Map(products.map(({ part_number, name }) => [part_number, name]))
    for (const row of all) {
      expect(names.get(row.part_number)).toBe(row.product_name)
      expect(row.created_at < new Date(now)).toBe(true)
    }
  })
})

async function pricedCurrencies(db: Kysely<DB>): Promise<string[]> {
  return (await db.selectFrom('fsa_price').select('currency').distinct().execute()).map(({ currency }) => currency)
}

/** Every amount has two decimals, so hundredths are exact. */
const cents = (amount: string | null) => Math.round(Number(amount) * 100)
const spent = (rows: readonly Entitlement[]) => rows.reduce((sum, row) => sum + cents(row.price), 0)

describe('generateLeases', () => {
  const make = (count: number, today = '2026-11-15') =>
    generateLeases({ customerNumber: '300001', today, count, mix: USUAL_MIX })

  it('gives 5,000 leases of one account distinct activation ids', () => {
    const rows = make(5000)
    expect(new Set(rows.map((row) => row.activation_id)).size).toBe(5000)
  })

  it('a larger count only adds leases', () => {
    expect(make(50).slice(0, 20)).toEqual(make(20))
  })

  it('on another day, the same leases have the same ids and other dates', () => {
    const [one, other] = [make(20), make(20, '2028-02-29')]
    expect(other.map((row) => row.activation_id)).toEqual(one.map((row) => row.activation_id))
    expect(other.map((row) => row.start_date)).not.toEqual(one.map((row) => row.start_date))
  })
})
