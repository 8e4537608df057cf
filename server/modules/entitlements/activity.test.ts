import { Kysely, PostgresDialect, type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { isContractActive, isElasticActive, isLeaseActive } from '#domain/entitlements/activity.ts'
import { isExcludedProduct } from '#domain/entitlements/excluded-products.ts'
import { ENTITLEMENT_TYPES, kindsOf } from '#domain/entitlements/kind.ts'
import type { DB } from '#server/db/schema.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { fetchCount } from '#server/lists/list-totals.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
import {
  type Activity,
  entitlementScope,
  entitlementSource,
  wholeScope,
} from '#server/modules/entitlements/entitlement.list.ts'
import { freshDatabase, onCitus } from '#server/testing/database.ts'

/*
 * SQL decides which table a row is in, domain what the row shows: both must agree on every day, also where days are
 * short, long, or begin while it is yesterday elsewhere.
 */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/St_Johns',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Cairo',
]

const BORDER_DAYS = [
  ['an ordinary day', '2026-11-15'],
  ['the end of a year', '2026-12-31'],
  ['a leap day', '2028-02-29'],
  ['clocks go forward in Berlin', '2026-03-29'],
  ['clocks go back in Berlin', '2026-10-25'],
  ['clocks go back in Los Angeles', '2026-11-01'],
  ['midnight is skipped in Cairo', '2026-04-24'],
] as const

type Row = Selectable<DB['entitlement']> & { used: string }

let database: Awaited<ReturnType<typeof freshDatabase>>
const rowsOf = new Map<string, Row[]>()
const customerIn = (zone: string) => `9000${String(ZONES.indexOf(zone)).padStart(2, '0')}`

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await db
    .insertInto('account')
    .values(ZONES.map((zone) => ({ customer_number: customerIn(zone), name: zone, time_zone: zone })))
    .execute()
  const servers = ZONES.map((zone) => ({ customer_number: customerIn(zone), device_id: customerIn(zone) }))
  await db.insertInto('device_owner').values(servers).execute()
  await db
    .insertInto('elastic_server')
    .values(servers.map((server) => ({ ...server, alias: 'Elastic' })))
    .execute()
  await sql`select ensure_usage_partitions('2026-01-01', '2026-01-31')`.execute(db)
  for (const zone of ZONES) await fill(customerIn(zone))
  const { rows } = await sql<Row>`
    select e.*, coalesce((select sum(u.charge) from usage_transaction u
       where u.customer_number = e.customer_number and u.activation_id = e.activation_id), 0) as used
      from entitlement e`.execute(db)
  for (const row of rows) rowsOf.set(row.customer_number, [...(rowsOf.get(row.customer_number) ?? []), row])
})
afterAll(() => database.close())

type Kind = { license_model: string; subtype?: string; fsa_id?: string; units_per_line?: number; used?: string }

const KINDS: readonly Kind[] = [
  { license_model: 'Shared Web' },
  { license_model: 'FSA', subtype: 'FSA' },
  { license_model: 'FSA', subtype: 'FSA', fsa_id: 'contract' },
  ...['0', '0.01', '999.99', '1000', '1000.01'].map((used) => ({ license_model: 'Elastic-AEU', used })),
  { license_model: 'Elastic-AEU', used: '1', units_per_line: 0 },
]

/** Terms that begin and end around every border day, of every kind of entitlement, at every fill of elastic units. */
async function fill(customer_number: string): Promise<void> {
  const terms = BORDER_DAYS.flatMap(([, day]) => {
    const around = [-2, -1, 0, 1, 2].map((offset) => addDays(day, offset))
    const leases = around.flatMap((start) => around.filter((end) => end >= start).map((end) => ({ start, end })))
    return [...leases, ...around.map((start) => ({ start, end: null }))]
  })
  // Every term for leases, the other kinds in turn: enough to test each border with each kind.
  const drawn = terms.flatMap((term, at): [typeof term, Kind][] => [
    [term, { license_model: 'Network' }],
    [term, KINDS[at % KINDS.length] ?? { license_model: '' }],
  ])
  const rows = drawn.map(([{ start, end }, { used, ...kind }], at) => ({
    customer_number,
    activation_id: `${customer_number}-${at}`,
    entitlement_id: `e-${at}`,
    part_number: 'P1',
    product_name: at % 50 === 0 ? 'Flexible Spending Account Manual Drawdown' : 'Solver',
    line_item_quantity: 2,
    units_per_line: 500,
    start_date: start,
    end_date: end,
    is_permanent: end === null,
    ...kind,
  }))
  await claimActivationIds(database.db, rows)
  await database.db.insertInto('entitlement').values(rows).execute()
  const charges = drawn.flatMap(([, { used }], at) =>
    used === undefined || used === '0' ? [] : [{ activation_id: `${customer_number}-${at}`, charge: used }],
  )
  await database.db
    .insertInto('usage_transaction')
    .values(charges.map((one) => ({ ...SESSION, ...one, customer_number, server_id: customer_number })))
    .execute()
}

const SESSION = {
  session_id: 's-1',
  session_status: 'ended',
  started_at: new Date('2026-01-15T10:00:00Z'),
  ends_at: new Date('2026-01-15T11:00:00Z'),
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
  currency: 'AEU',
}

function isActive(row: Row, today: string): boolean {
  const term = { startDate: row.start_date, endDate: row.end_date }
  if (row.kind === 'FSA') return isContractActive(term, today)
  if (row.kind !== 'ELASTIC') return isLeaseActive(term, today)
  return isElasticActive(
    term,
    { lines: row.line_item_quantity, unitsPerLine: row.units_per_line, used: row.used },
    today,
  )
}

async function listed(timeZone: string, activity: Activity, now: Date): Promise<string[]> {
  const body = { customerNumber: customerIn(timeZone), type: 'ALL' } as const
  const scope = entitlementScope({ body, timeZone, now }, activity)
  const { rows } = await fetchRows(database.db, entitlementSource, scope, { attributes: ['ActivationId'], limit: 1000 })
  return rows.map((row) => row.ActivationId).sort()
}

describe.each(ZONES)('in %s', (zone) => {
  test.each(BORDER_DAYS)('the lists agree with the rules around %s, %s', async (_name, day) => {
    const rows = (rowsOf.get(customerIn(zone)) ?? []).filter((row) => !isExcludedProduct(row.product_name))
    expect(rows.length).toBeGreaterThan(200)
    for (const border of [startOfDay(zone, day), startOfDay(zone, addDays(day, 1))]) {
      for (const now of [new Date(border.getTime() - 1), border]) {
        const today = dayIn(zone, now)
        const ids = (active: boolean) =>
          rows.filter((row) => isActive(row, today) === active).map((row) => row.activation_id)
        expect(await listed(zone, 'active', now), `active at ${now.toISOString()}`).toEqual(ids(true).sort())
        expect(await listed(zone, 'inactive', now)).toEqual(ids(false).sort())
        expect(await databaseDay(zone, now)).toBe(today)
      }
    }
  })
})

/** The database sums usage by its own computation of the account's day, which must equal ours. */
async function databaseDay(zone: string, now: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (${now}::timestamptz at time zone ${zone})::date as day`.execute(
    database.db,
  )
  return rows[0]?.day ?? ''
}

test('each type lists the entitlements of its kinds, and ALL lists every kind', async () => {
  const counts: Record<string, number> = {}
  for (const type of ENTITLEMENT_TYPES) {
    const scope = wholeScope({ customerNumber: customerIn('UTC'), type })
    counts[type] = await fetchCount(database.db, entitlementSource, scope)
  }
  const rows = (rowsOf.get(customerIn('UTC')) ?? []).filter((row) => !isExcludedProduct(row.product_name))
  const ofKind = (...kinds: string[]) => rows.filter((row) => kinds.includes(row.kind)).length
  expect(counts).toEqual({
    ALL: rows.length,
    ELASTIC: ofKind('ELASTIC'),
    FSA: ofKind('FSA'),
    SSL: ofKind('SSL', 'CONCURRENT', 'SUBSCRIPTION'),
    SUBSCRIPTION: 0,
    CONCURRENT: ofKind('CONCURRENT'),
  })
  for (const [type, count] of Object.entries(counts)) if (type !== 'SUBSCRIPTION') expect(count).toBeGreaterThan(0)
})

describe.skipIf(onCitus())('the query plan of a page', () => {
  const CUSTOMER = '300001'
  const TODAY = '2026-11-15'

  let database: Awaited<ReturnType<typeof freshDatabase>>
  beforeAll(async () => {
    database = await freshDatabase()
    await database.db.transaction().execute(async (tx) => {
      await tx.insertInto('account').values({ customer_number: CUSTOMER, name: 'Large' }).execute()
      const leases = generateLeases({ customerNumber: CUSTOMER, today: TODAY, count: 5000, mix: USUAL_MIX })
      await claimActivationIds(tx, leases)
      await insertRows(tx, 'entitlement', leases)
    })
    await sql`analyze entitlement`.execute(database.db)
  })
  afterAll(() => database.close())

  test.each(['active', 'inactive'] as const)(
    'reads only the rows that it shows: first %s page of 5,000 entitlements',
    async (activity) => {
      const statements: { sql: string; parameters: readonly unknown[] }[] = []
      const dialect = new PostgresDialect({ pool: database.pool })
      const watched = new Kysely<DB>({ dialect, log: ({ query }) => void statements.push(query) })
      const scope = { customerNumber: CUSTOMER, kinds: kindsOf('SSL'), isActive: activity === 'active', today: TODAY }
      const { rows } = await fetchRows(watched, entitlementSource, scope, { limit: 20 })
      expect(rows).toHaveLength(20)

      const { sql: text = '', parameters = [] } = statements[0] ?? {}
      const explained = await database.pool.query(`explain (analyze, costs off, timing off) ${text}`, [...parameters])
      const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Scan using entitlement_by_end on entitlement e \(actual rows=21/)
      expect(Number(/Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? 0)).toBeLessThan(20)
    },
  )
})
