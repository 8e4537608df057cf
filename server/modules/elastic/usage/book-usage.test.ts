import fs from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import {
  bookHistory,
  bookUsage,
  type SessionEnd,
  type UsageRow,
} from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addElasticAccount, driftedDays, runningRow, usageRow } from '#server/testing/usage.ts'

const CUSTOMERS = ['C1', 'C2', 'C3', 'C4']
const ZONES = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Tokyo', 'UTC']

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<DB>

beforeAll(async () => {
  database = await freshDatabase()
  db = database.db
  for (const [at, customer] of CUSTOMERS.entries()) await addElasticAccount(db, customer, ZONES[at]!)
  await ensureUsagePartitions(db, { from: new Date('2026-10-01'), to: new Date('2026-11-01') })
})
afterAll(() => database.close())

const book = (sessions: readonly UsageRow[], ends: readonly SessionEnd[] = []) =>
  db.transaction().execute((tx) => bookUsage(tx, sessions, ends))

async function startedSession(customerNumber: string): Promise<SessionEnd> {
  const row = runningRow({ customer_number: customerNumber })
  await book([row])
  const { transaction_number } = await db
    .selectFrom('usage_transaction')
    .select('transaction_number')
    .where('session_id', '=', row.session_id)
    .executeTakeFirstOrThrow()
  return {
    customer_number: customerNumber,
    transaction_number,
    session_status: 'Completed',
    ends_at: new Date('2026-10-10T10:00:00Z'),
    activation_id: 'A1',
    charge: '1.25',
    arrived_at: new Date('2026-10-10T10:05:00Z'),
  }
}

const bookedOn = async (customerNumber: string) =>
  (
    await db
      .selectFrom('usage_day')
      .select(({ fn }) => [fn.sum<string | null>('charge').as('charge'), fn.sum<string | null>('transactions').as('n')])
      .where('customer_number', '=', customerNumber)
      .executeTakeFirstOrThrow()
  ).n

describe('booking usage', () => {
  it('books finished sessions, running ones and the ends of running ones at once', async () => {
    const end = await startedSession('C2')
    const before = { C1: Number(await bookedOn('C1')), C2: Number(await bookedOn('C2')) }
    await book([usageRow(), usageRow({ product: 'HPC Pack' }), runningRow()], [end])
    expect(await driftedDays(db)).toEqual([])
    expect(Number(await bookedOn('C1'))).toBe(before.C1 + 2)
    expect(Number(await bookedOn('C2'))).toBe(before.C2 + 1)
    const ended = await db
      .selectFrom('usage_transaction')
      .select(['ends_at', 'charge', 'session_status', 'hours'])
      .where('transaction_number', '=', end.transaction_number)
      .executeTakeFirstOrThrow()
    expect(ended).toEqual({ ends_at: end.ends_at, charge: '1.25', session_status: 'Completed', hours: '2.00' })
  })

  it('fills in the same values as the table where a row has none', async () => {
    const [given, bare] = [usageRow(), usageRow()]
    await db.insertInto('usage_transaction').values(given).execute()
    await book([bare])
    const stored = await db
      .selectFrom('usage_transaction')
      .selectAll()
      .where('session_id', 'in', [given.session_id, bare.session_id])
      .execute()
    const [one, other] = stored.map(({ transaction_number, session_id, arrived_at, ...row }) => row)
    expect(one).toEqual(other)
  })

  it('books more rows than fit into one statement', async () => {
    const before = Number(await bookedOn('C3'))
    await book(Array.from({ length: 5_001 }, () => usageRow({ customer_number: 'C3', charge: '0.01' })))
    expect(Number(await bookedOn('C3'))).toBe(before + 5_001)
    expect(await driftedDays(db)).toEqual([])
  })

  it('books nothing when one row is refused', async () => {
    const before = await bookedOn('C1')
    await expect(book([usageRow(), usageRow({ server_id: 'server-C2' })])).rejects.toThrow('does not have')
    expect(await bookedOn('C1')).toBe(before)
  })

  it('ends a session once, even if another process ends it too', async () => {
    const end = await startedSession('C4')
    const outcomes = await Promise.allSettled([book([], [end]), book([], [end]), book([usageRow()], [end])])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('were still running')
    expect(await driftedDays(db)).toEqual([])
  })

  it('keeps exact sums when bookings of the same account run at once', async () => {
    const before = Number(await bookedOn('C4'))
    const rows = () => Array.from({ length: 50 }, (_, n) => usageRow({ customer_number: 'C4', product: `P${n % 7}` }))
    await Promise.all(Array.from({ length: 12 }, () => book(rows())))
    expect(Number(await bookedOn('C4'))).toBe(before + 600)
    expect(await driftedDays(db)).toEqual([])
  })

  it('never deadlocks on bookings of several accounts in opposite order', async () => {
    for (let round = 0; round < 10; round++) {
      const ends = await Promise.all(CUSTOMERS.map(startedSession))
      // Each books all accounts but one in one statement, and ends a session of that one in the next.
      const bookings = ends.map((end, at) => {
        const others = CUSTOMERS.filter((customer) => customer !== end.customer_number)
        const ordered = at % 2 ? others : others.reverse()
        return book(
          ordered.map((customer_number) => usageRow({ customer_number })),
          [end],
        )
      })
      const moving = db
        .updateTable('account')
        .set({ time_zone: ZONES[round % ZONES.length]! })
        .where('customer_number', '=', 'C3')
        .execute()
      await Promise.all([...bookings, moving])
    }
    expect(await driftedDays(db)).toEqual([])
  })
})

describe('the sums per day', () => {
  it.each([
    [
      'insert',
      sql`insert into usage_day select customer_number, '2020-01-01', activation_id, product, currency, 1, 1, 1 from usage_day limit 1`,
    ],
    ['update', sql`update usage_day set charge = charge + 1`],
    ['delete', sql`delete from usage_day`],
    ['truncate', sql`truncate usage_day`],
    [
      'call of the summing function',
      sql`select add_to_usage_days('C1', '{2026-10-10}', '{A1}', '{P}', '{anna}', '{X}', '{ws-1}', '{AEU}', '{1}', '{1}')`,
    ],
  ])('refuse a direct %s', async (_name, statement) => {
    await book([usageRow()])
    await expect(statement.execute(db)).rejects.toThrow('follows the booked usage')
  })

  it('follow rows that are inserted into a single month', async () => {
    await db
      .insertInto('usage_transaction_2026_10' as 'usage_transaction')
      .values(usageRow({ charge: '3.00' }))
      .execute()
    expect(await driftedDays(db)).toEqual([])
  })

  it.each([
    ['update', sql`update usage_transaction_2026_10 set charge = 0`],
    ['delete', sql`delete from usage_transaction_2026_10`],
    ['truncate', sql`truncate usage_transaction_2026_10`],
    ['delete of a running session', sql`delete from usage_transaction_running`],
  ])('cannot lose their rows by a direct %s of one partition', async (_name, statement) => {
    await book([usageRow(), runningRow()])
    await expect(statement.execute(db)).rejects.toThrow('append-only')
  })
})

describe('booking past usage', () => {
  const inMonth = (month: string, values: Partial<UsageRow> = {}) =>
    usageRow({
      started_at: new Date(`${month}-27T08:00:00Z`),
      ends_at: new Date(`${month}-28T09:30:00Z`),
      ...values,
    })
  const load = (...rows: UsageRow[]) =>
    db.transaction().execute((tx) =>
      bookHistory(tx, async (history) => {
        const staged = JSON.stringify(rows)
        await sql`insert into ${history} select * from json_populate_recordset(null::usage_history, ${staged})`.execute(
          tx,
        )
      }),
    )

  it('makes the months that are missing, books into those that exist, and takes rows in any order', async () => {
    const before = Number(await bookedOn('C2'))
    const of = (month: string) => inMonth(month, { customer_number: 'C2' })
    await load(of('2026-10'), of('2025-03'), of('2025-01'), of('2025-03'))
    expect(Number(await bookedOn('C2'))).toBe(before + 4)
    expect(await driftedDays(db)).toEqual([])
    const { rows } = await sql<{ indexes: number; triggers: number }>`
      select (select count(*)::int from pg_index i where i.indrelid = c.oid) as indexes,
             (select count(*)::int from pg_trigger t where t.tgrelid = c.oid) as triggers
        from pg_class c where c.relname in ('usage_transaction_2025_03', 'usage_transaction_2026_10')`.execute(db)
    expect(rows[0]).toEqual(rows[1])
  })

  it('books nothing when one row is refused', async () => {
    const before = await bookedOn('C1')
    await expect(load(inMonth('2024-05'), inMonth('2024-06', { server_id: 'unknown' }))).rejects.toThrow(
      'does not have',
    )
    expect(await bookedOn('C1')).toBe(before)
    await load(inMonth('2024-05'))
    expect(await driftedDays(db)).toEqual([])
  })

  it('refuses a correction in a month that is not attached yet', async () => {
    const inserting = db.transaction().execute(async (tx) => {
      await sql`select create_usage_month('2023-01-01')`.execute(tx)
      const month = 'usage_transaction_2023_01' as 'usage_transaction'
      await tx.insertInto(month).values(inMonth('2023-01')).execute()
      const { transaction_number } = await tx.selectFrom(month).select('transaction_number').executeTakeFirstOrThrow()
      await tx
        .insertInto(month)
        .values({ ...inMonth('2023-01'), charge: '-1.00', corrects: transaction_number })
        .execute()
    })
    await expect(inserting).rejects.toThrow('a correction needs')
  })
})

test('usage is booked in one file only, apart from a benchmark', () => {
  const written =
    /(into|update|copy|delete from)\s+usage_(transaction(?!_running)|\w*day|total)|(insertInto|updateTable|deleteFrom|mergeInto)\('usage_(transaction|\w*day|total)|insertRows\([^)]*'usage_(transaction|\w*day|total)/
  const writers = ['server', 'bench', 'e2e']
    .flatMap((folder) => fs.globSync(`${folder}/**/*.ts`))
    .filter((file) => !file.endsWith('.test.ts') && written.test(fs.readFileSync(file, 'utf8')))
  expect(writers).toEqual(['server/modules/elastic/usage/usage-booking.queries.ts', 'bench/metering.ts'])
})
