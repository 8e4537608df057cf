import { type QueryExecutorProvider, sql } from 'kysely'
import { type ReadingZone, selectionOf } from '#server/lists/list-query.ts'
import type { CountRequest, ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'

export async function fetchCount<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: CountRequest = {},
  reading: ReadingZone = {},
): Promise<number> {
  const { from, where } = selectionOf(source, scope, request.filter, reading)
  const result = await sql<{ count: string }>`select count(*) as count from ${from} where ${where}`.execute(db)
  return Number(result.rows[0]?.count ?? 0)
}
