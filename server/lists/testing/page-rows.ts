import type { QueryExecutorProvider } from 'kysely'
import { fetchPage } from '#server/lists/list-page.ts'
import type { ListFields, ListScope, ListSource, PageRequest, WireRow } from '#server/lists/list-source.ts'

/** A page as objects: the portal itself passes the JSON on without parsing it. */
export async function fetchRows<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: PageRequest,
  reading: Parameters<typeof fetchPage>[4] = {},
): Promise<{ rows: WireRow<F>[]; token: string | null }> {
  const { json, token } = await fetchPage(db, source, scope, request, reading)
  return { rows: JSON.parse(json) as WireRow<F>[], token }
}
