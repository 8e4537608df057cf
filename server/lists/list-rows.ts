import type { QueryExecutorProvider } from 'kysely'
import type { Cursor } from '#server/lists/keyset.ts'
import type { InTurn } from '#server/lists/list-calls.ts'
import { jsonOf, readPage } from '#server/lists/list-page.ts'
import { filterOf, orderOf, type ReadingZone } from '#server/lists/list-query.ts'
import type { ListFields, ListScope, ListSource, PageRequest, WireRow } from '#server/lists/list-source.ts'

const BATCH = 500

/**
 * All rows of a list for an export, in batches. Memory holds one batch; between batches no connection and no transaction
 * is held, so that a slow reader stops nobody else. Rows that arrive meanwhile may or may not be among them; none comes
 * twice.
 */
export async function* streamRows<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: Pick<PageRequest, 'filter' | 'sorting' | 'attributes'> = {},
  reading: ReadingZone & { readonly batch?: number; readonly later?: InTurn } = {},
): AsyncGenerator<WireRow<F>[]> {
  const { later = (work) => work() } = reading
  const what = { scope, filter: filterOf(source, request.filter, reading) }
  const bounds = {
    order: orderOf(source, request.sorting),
    limit: reading.batch ?? BATCH,
    attributes: request.attributes,
    offset: 0,
  }
  let cursor: Cursor | undefined
  do {
    const from = cursor ? { ...bounds, cursor } : bounds
    const read = () => readPage(db, source, what, from)
    const { text, next } = await (cursor ? later(read) : read())
    const rows = JSON.parse(jsonOf(text)) as WireRow<F>[]
    if (rows.length > 0) yield rows
    cursor = next ?? undefined
  } while (cursor)
}
