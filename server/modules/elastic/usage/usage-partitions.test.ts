import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import { partitionsAround } from '#server/modules/elastic/elastic.jobs.ts'
import { analyzeUsage, ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startPortal } from '#server/testing/portal.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

async function partitions(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_transaction'::regclass
     order by 1`.execute(db)
  return rows.map(({ name }) => name.replace('usage_transaction_', ''))
}

it.each([
  ['2026-11-15T12:00:00Z', '2026-10-01', '2027-02-01'],
  ['2026-12-31T23:59:59Z', '2026-11-01', '2027-03-01'],
  ['2027-01-01T00:00:00Z', '2026-12-01', '2027-04-01'],
])('on %s months are there from %s to %s', (now, from, to) => {
  const around = partitionsAround(new Date(now))
  expect([around.from, around.to].map((day) => day.toISOString().slice(0, 10))).toEqual([from, to])
})

it('creates the missing months, each once, however many processes do so at once', async () => {
  const { db } = database
  const wanted = { from: new Date('2027-11-30T23:00:00Z'), to: new Date('2028-02-01T00:00:00Z') }
  const made = await Promise.all([1, 2, 3].map(() => ensureUsagePartitions(db, wanted)))
  expect(made.sort()).toEqual([0, 0, 4])
  expect(await partitions(db)).toEqual(['2027_11', '2027_12', '2028_01', '2028_02', 'running'])
  expect(await ensureUsagePartitions(db, { ...wanted, to: new Date('2028-03-31T23:59:59Z') })).toBe(1)
  await analyzeUsage(db)
})

it('a month has the indexes of the whole, and those that only months have', async () => {
  const indexesOf = async (table: string) => {
    const { rows } = await sql<{ columns: string }>`
      select regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') as columns
        from pg_index where indrelid = ${table}::regclass`.execute(database.db)
    return rows.map(({ columns }) => columns)
  }
  const whole = await indexesOf('usage_transaction')
  expect(await indexesOf('usage_transaction_running')).toEqual(expect.arrayContaining(whole))
  expect(await indexesOf('usage_transaction_running')).toHaveLength(3)
  expect(await indexesOf('usage_transaction_2027_11')).toEqual(expect.arrayContaining(whole))
  expect(await indexesOf('usage_transaction_2027_11')).toHaveLength(17)
})

it('a portal that has started has months ahead of its clock', async () => {
  const portal = await startPortal({}, {}, await freshDatabase())
  try {
    const ahead = partitionsAround(portal.clock.now()).to.toISOString().slice(0, 7).replace('-', '_')
    expect(await partitions(portal.db)).toContain(ahead)
  } finally {
    await portal.close()
  }
})
