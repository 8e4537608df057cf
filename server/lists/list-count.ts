import { type QueryExecutorProvider, sql } from 'kysely'
import { type ReadingZone, selectionOf } from '#server/lists/list-query.ts'
import type { CountRequest, ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'

/** How many rows match; with `atMost`, counting ends there. */
export async function fetchCount<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: CountRequest = {},
  reading: ReadingZone & { readonly atMost?: number } = {},
): Promise<number> {
  const { from, where } = selectionOf(source, scope, request.filter, reading)
  const counted =
    reading.atMost === undefined
      ? sql`${from} where ${where}`
      : sql`(select from ${from} where ${where} limit ${reading.atMost}) counted`
  const result = await sql<{ count: string }>`select count(*) as count from ${counted}`.execute(db)
  return Number(result.rows[0]?.count ?? 0)
}
