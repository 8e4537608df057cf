import { type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'
import type { DB } from '#server/db/schema.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { DEMO_PARTS, loadDemo } from '#server/demo/load-demo.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { driftedDays } from '#server/testing/usage.ts'

type Usage = Selectable<DB['usage_transaction']>

/** Usage, and the parts that it needs. */
const NEEDED = ['people', 'accounts', 'contacts', 'catalog', 'entitlements', 'elastic servers', 'usage']
const PARTS = DEMO_PARTS.filter(({ name }) => NEEDED.includes(name))

const HARD_DAYS: readonly (readonly [name: string, now: string])[] = [
  ['an ordinary day', '2026-11-15T12:00:00Z'],
  ['29 February', '2028-02-29T12:00:00Z'],
  ['1 January in Berlin, still December in UTC', '2026-12-31T23:30:00Z'],
  ['the night when clocks go forward', '2027-03-28T00:59:59Z'],
]

describe.each(HARD_DAYS)('on %s', (_name, now) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let rows: Usage[]
  const of = (customerNumber: string) => rows.filter((row) => row.customer_number === customerNumber)
  const isRunning = (row: Usage) => !(row.ends_at instanceof Date)
  const localDay = (instant: Date) => dayIn('Europe/Berlin', instant)

  beforeAll(async () => {
    database = await freshDatabase()
    await loadDemo(database.db, { now: new Date(now), usageTransactions: 1500, progress: () => {}, parts: PARTS })
    rows = await database.db.selectFrom('usage_transaction').selectAll().execute()
  })
  afterAll(() => database.close())

  it('elastic entitlements are used to the percentage that their purpose names', async () => {
    const { rows: used } = await sql<{ activation_id: string; percent: string }>`
      select e.activation_id, 100 * coalesce(sum(d.charge), 0) / (e.line_item_quantity * e.units_per_line) as percent
        from entitlement e left join usage_day d using (customer_number, activation_id)
       where e.kind = 'ELASTIC' group by e.customer_number, e.activation_id`.execute(database.db)
    const percent = (customerNumber: string, state: string) => {
      const id = activationId({ customerNumber, purpose: `elastic, ${state}` })
      return Number(used.find((row) => row.activation_id === id)?.percent)
    }
    expect(percent('100001', 'used up')).toBe(100)
    expect(percent('100001', '95 % used')).toBeGreaterThanOrEqual(95)
    expect(percent('100001', '95 % used')).toBeLessThan(100)
    expect(percent('100001', '80 % used')).toBeGreaterThanOrEqual(80)
    expect(percent('100001', '80 % used')).toBeLessThan(95)
    expect(percent('100001', 'partly used')).toBeCloseTo(41.8, 1)
    for (const state of ['unused', 'starts tomorrow', 'not yet deployed']) expect(percent('100001', state)).toBe(0)
    expect(percent('100007', 'nearly used up')).toBeGreaterThan(95)
    expect(percent('100007', 'nearly used up')).toBeLessThan(100)
  })

  it('each charge equals the rated session', async () => {
    const rates = await database.db
      .selectFrom('elastic_rate')
      .innerJoin('product', 'product.part_number', 'elastic_rate.part_number')
      .select(['product.name', 'elastic_rate.rate_table_version', 'elastic_rate.units_per_hour'])
      .execute()
    const rateOf = new Map(rates.map((rate) => [`${rate.name} ${rate.rate_table_version}`, rate.units_per_hour]))
    for (const row of rows) {
      if (isRunning(row) || row.corrects !== null) continue
      const charge = sessionCharge({
        startedAt: row.started_at,
        endedAt: row.ends_at as Date,
        productCount: row.product_count,
        unitsPerHour: rateOf.get(`${row.product} ${row.rate_table_version}`)!,
      })
      expect(row.charge, row.session_id).toBe(charge)
    }
  })

  it('sessions lie within the entitlement that they draw on, and in the past', async () => {
    const entitlements = await database.db.selectFrom('entitlement').selectAll().where('kind', '=', 'ELASTIC').execute()
    const zones = new Map(
      (await database.db.selectFrom('account').select(['customer_number', 'time_zone']).execute()).map(
        (account) => [account.customer_number, account.time_zone] as const,
      ),
    )
    const midnight = midnightOf(dayIn('UTC', new Date(now)))
    for (const row of rows) {
      expect(row.started_at < midnight && row.arrived_at <= new Date(now)).toBe(true)
      if (isRunning(row)) continue
      expect((row.ends_at as Date) < midnight).toBe(true)
      const drawnOn = entitlements.find((one) => one.activation_id === row.activation_id)!
      const day = dayIn(zones.get(row.customer_number)!, row.started_at)
      expect(drawnOn.customer_number).toBe(row.customer_number)
      expect(drawnOn.start_date <= day && day <= drawnOn.end_date!, row.session_id).toBe(true)
      expect([row.currency, row.rate_table_version]).toEqual([drawnOn.currency, drawnOn.rate_table_version])
    }
  })

  it('Aerodyne has sessions of every kind', () => {
    const own = of('100001')
    const ended = own.filter((row) => !isRunning(row))
    const length = (row: Usage) => (row.ends_at as Date).getTime() - row.started_at.getTime()
    expect(own.filter(isRunning).length).toBeGreaterThanOrEqual(5)
    expect(ended.some((row) => length(row) === 1000)).toBe(true)
    expect(ended.some((row) => length(row) === 30 * 86_400_000)).toBe(true)
    const days = (row: Usage) => [localDay(row.started_at), localDay(row.ends_at as Date)] as const
    expect(ended.some((row) => length(row) < 86_400_000 && days(row)[0] !== days(row)[1])).toBe(true)
    const months = (row: Usage) => days(row).map((day) => day.slice(0, 7))
    expect(ended.some((row) => length(row) < 86_400_000 && months(row)[0] !== months(row)[1])).toBe(true)
    for (const project of [true, false])
      for (const job of [true, false])
        expect(own.some((row) => (row.project !== null) === project && (row.cloud_job_id !== null) === job)).toBe(true)
    expect(own.some((row) => row.corrects !== null && Number(row.charge) < 0)).toBe(true)
    expect(own.length).toBeGreaterThan(rows.length / 2)
    const oldest = Math.min(...own.map((row) => row.started_at.getTime()))
    expect((Date.parse(now) - oldest) / 86_400_000).toBeGreaterThan(700)
  })

  it('Heritage has no cloud usage', () => {
    expect(of('100008').length).toBeGreaterThan(0)
    expect(of('100008').every((row) => row.cloud_job_id === null)).toBe(true)
  })

  it('daily sums equal the sums of the rows', async () => {
    expect(await driftedDays(database.db)).toEqual([])
  })
})
