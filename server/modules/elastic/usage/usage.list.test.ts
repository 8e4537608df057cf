import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let indexes: string[]
beforeAll(async () => {
  database = await freshDatabase()
  await ensureUsagePartitions(database.db, { from: new Date('2026-10-01'), to: new Date('2026-10-01') })
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'usage_transaction_2026_10'::regclass`.execute(
    database.db,
  )
  indexes = rows.map(({ definition }) => definition)
})
afterAll(() => database.close())

test.each(USAGE_COLUMNS.map(([field]) => field))('an index leads straight to any page by %s', (field) => {
  const column = usageSource.fields[field].column.replace('u.', '')
  const order = [...new Set(['customer_number', column, 'started_at', 'transaction_number'])].join(', ')
  expect(indexes.some((index) => index.includes(`(${order}`))).toBe(true)
})
