import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindsOf } from '#domain/entitlements/kind.ts'
import type { DB } from '#server/db/schema.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
import { entitlementSource } from '#server/modules/entitlements/entitlement.list.ts'
import { freshDatabase } from '#server/testing/database.ts'

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
  'of 5,000 entitlements, the first %s page reads only what it shows',
  async (activity) => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const dialect = new PostgresDialect({ pool: database.pool })
    const watched = new Kysely<DB>({ dialect, log: ({ query }) => void statements.push(query) })
    const scope = { customerNumber: CUSTOMER, kinds: kindsOf('SSL'), isActive: activity === 'active', today: TODAY }
    const { rows } = await fetchPage(watched, entitlementSource, scope, { limit: 20 })
    expect(rows).toHaveLength(20)

    const { sql: text = '', parameters = [] } = statements[0] ?? {}
    const explained = await database.pool.query(`explain (analyze, costs off, timing off) ${text}`, [...parameters])
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan using entitlement_by_end on entitlement e \(actual rows=21/)
    expect(Number(/Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? 0)).toBeLessThan(20)
  },
)
