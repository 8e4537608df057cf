import { type QueryExecutorProvider, sql } from 'kysely'
import type { Selection } from '#server/lists/list-query.ts'

type PlanNode = {
  readonly 'Plan Rows': number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** How many rows PostgreSQL expects to read from each table or partition, without reading any. */
export async function expectedRowsPerTable(db: QueryExecutorProvider, { from, where }: Selection): Promise<number> {
  const explained = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (format json) select from ${from} where ${where}`.execute(db)
  const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan
  return plan ? plan['Plan Rows'] / Math.max(1, tablesIn(plan)) : 0
}

function tablesIn(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + tablesIn(child), 0)
  return below + (node['Relation Name'] === undefined ? 0 : 1)
}
