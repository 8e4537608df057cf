import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { continuationTokens } from '#server/lists/keyset.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { CUSTOMER, createSample, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

/*
 * Page 10,000 costs what page 1 costs only while an index leads straight to it: a condition that no index can start from
 * would still give the right rows, just slowly.
 */
const ROWS = 20_000
const tokens = continuationTokens(Buffer.from('a secret for tests'))

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<unknown>
let statements: { sql: string; parameters: readonly unknown[] }[] = []

beforeAll(async () => {
  database = await freshDatabase()
  await createSample(database.db)
  await sql`
    insert into sample (customer_number, id, product, code, charge, count, start_time, end_time)
    select '100001', n, 'Product ' || n % 40, 'code', case when n % 10 > 0 then n end, 1,
      timestamptz '2026-01-01' + n * interval '1 minute',
      case when n % 10 > 0 then timestamptz '2026-01-02' + n * interval '1 minute' end
    from generate_series(1, ${ROWS}::int) n`.execute(database.db)
  for (const column of ['product', 'charge', 'start_time', 'end_time'])
    await sql`create index on sample (customer_number, ${sql.ref(column)}, id)`.execute(database.db)
  await sql`vacuum analyze sample`.execute(database.db)
  const dialect = new PostgresDialect({ pool: database.pool })
  db = new Kysely({ dialect, log: ({ query }) => void statements.push(query) })
})
afterAll(() => database.close())

/** The plan of the last statement, with the number of rows that were read in all its scans. */
async function explain(run: () => Promise<unknown>, more = ''): Promise<{ text: string; read: number }> {
  statements = []
  await run()
  const last = statements.at(-1)!
  const explained = await database.pool.query(
    `explain (analyze, costs off, timing off${more && `, ${more}`}) ${last.sql}`,
    [...last.parameters],
  )
  const text = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
  const scans = [...text.matchAll(/Scan.*actual rows=([\d.]+) loops=(\d+)|Rows Removed by Filter: (\d+)/g)]
  const read = scans.reduce(
    (sum, [, rows = '0', loops = '1', removed = '0']) => sum + Number(rows) * Number(loops) + Number(removed),
    0,
  )
  return { text, read }
}

test.each([
  ['StartTime', 'desc', 0.5],
  ['StartTime', 'asc', 0.5],
  ['Product', 'desc', 0.5],
  ['EndTime', 'asc', 0.5],
  ['EndTime', 'desc', 0.5],
  ['EndTime', 'asc', 0.95],
  ['EndTime', 'desc', 0.05],
  ['Charge', 'asc', 0.95],
  ['Charge', 'desc', 0],
  ['Charge', 'desc', 0.5],
  ['Charge', 'desc', 0.95],
])('continuing by %s %s from %d of the list reads only one page of rows', async (name, direction, part) => {
  const sorting = [{ name, direction }]
  const { token } = await fetchRows(db, sampleList, CUSTOMER, { sorting, offset: ROWS * part, limit: 20 }, { tokens })
  const plan = await explain(() => fetchRows(db, sampleList, CUSTOMER, { sorting, token, limit: 20 }, { tokens }))
  expect(plan.text).not.toMatch(/Seq Scan/)
  // 21 rows of each of two pieces, and once more as each node above hands them on
  expect(plan.read, plan.text).toBeLessThan(200)
})

test.each(['desc', 'asc'])('a range on the sort field does not slow down later pages, %s', async (direction) => {
  const filter = {
    condition: 'ALL',
    criteria: [
      { name: 'StartTime', method: 'AFTER', value: '2025-01-01T00:00:00Z' },
      { name: 'StartTime', method: 'BEFORE', value: '2027-01-01T00:00:00Z' },
    ],
  }
  const request = { sorting: [{ name: 'StartTime', direction }], filter, limit: 20 }
  const countBuffers = async (run: () => Promise<unknown>) =>
    Number((await explain(run, 'buffers')).text.match(/Buffers: shared hit=(\d+)/)?.[1])
  const first = await countBuffers(() => fetchRows(db, sampleList, CUSTOMER, request, { tokens }))
  const { token } = await fetchRows(db, sampleList, CUSTOMER, { ...request, offset: ROWS / 2 }, { tokens })
  const deep = await countBuffers(() => fetchRows(db, sampleList, CUSTOMER, { ...request, token }, { tokens }))
  expect(deep).toBeLessThan(first * 2)
})

test('finds distinct values by a loose index scan', async () => {
  const plan = await explain(() => fetchDistinct(db, sampleList, CUSTOMER, { key: 'Product' }))
  expect(plan.text).not.toMatch(/Seq Scan/)
  expect(plan.read, plan.text).toBeLessThan(300)
})

test('reads all rows when there are few, without a loose index scan', async () => {
  const few = {
    condition: 'ALL',
    criteria: [{ name: 'Product', method: 'EQUALS', value: 'Product 7', casefold: false }],
  }
  const plan = await explain(() => fetchDistinct(db, sampleList, CUSTOMER, { key: 'Product', filter: few }))
  expect(plan.text).not.toMatch(/Recursive Union/)
})

test.each(['asc', 'desc'])('the first page by a nullable field reads only one page of rows, %s', async (direction) => {
  const sorting = [{ name: 'Charge', direction }]
  const plan = await explain(() => fetchRows(db, sampleList, CUSTOMER, { sorting, limit: 20 }, { tokens }))
  expect(plan.text).not.toMatch(/Seq Scan/)
  expect(plan.read, plan.text).toBeLessThan(200)
})
