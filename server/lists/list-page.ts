import type { QueryExecutorProvider } from 'kysely'
import { MAX_NUMBER, MAX_PAGE } from '#contract/kit/list.ts'
import type { ContinuationTokens, Cursor, TokenBinding } from '#server/lists/keyset.ts'
import { ListError } from '#server/lists/list-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { filterOf, orderOf, type ReadingZone, wholeNumber } from '#server/lists/list-query.ts'
import type { ListFields, ListScope, ListSource, PageRequest, WireRow } from '#server/lists/list-source.ts'
import { type PageBounds, pageOf, pageStatement, type ScopedFilter } from '#server/lists/page-statement.ts'
import type { PreparedPages } from '#server/lists/prepared-pages.ts'
import type { InTurn } from '#server/turns/call-turns.ts'

const DEFAULT_LIMIT = 100

export type PageReading = ReadingZone & {
  /** Without tokens the list cannot be continued. */
  readonly tokens?: ContinuationTokens
  /** With a prepared pool, the pages that the list names are prepared statements. */
  readonly prepared?: PreparedPages
}

/** A page as the JSON text that PostgreSQL rendered, passed on unchanged: this halves the server's work per page. */
export async function fetchPage<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: PageRequest,
  reading: PageReading = {},
): Promise<{ json: string; token: string | null }> {
  const filter = filterOf(source, request.filter, reading)
  const order = orderOf(source, request.sorting)
  const limit = wholeNumber(request.limit ?? DEFAULT_LIMIT, 'limit', 1, MAX_NUMBER)
  if (limit > MAX_PAGE) throw tooManyRows()
  const tokens = source.continuation === false ? undefined : reading.tokens
  const binding: TokenBinding = { list: source.name, scope, filter, order }
  const bounds = { order, limit, attributes: request.attributes, ...startOf(request, tokens, binding) }
  const page =
    (await reading.prepared?.read(source, scope, filter, bounds)) ??
    (await readPage(db, source, { scope, filter }, bounds))
  return { json: jsonOf(page.text), token: page.next && tokens ? tokens.seal(page.next, binding) : null }
}

type Start = Pick<PageBounds, 'offset' | 'cursor'>

function startOf(request: PageRequest, tokens: ContinuationTokens | undefined, binding: TokenBinding): Start {
  if (!request.token) return { offset: wholeNumber(request.offset ?? 0, 'offset', 0, MAX_NUMBER) }
  if (!tokens) throw new ListError('fetch by continuation token is not supported')
  return { offset: 0, cursor: tokens.open(request.token, binding) }
}

/** The rendered rows of one page, and where it ended if there is more. */
async function readPage<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  what: ScopedFilter<S>,
  bounds: PageBounds,
): Promise<ReturnType<typeof pageOf>> {
  const { rows } = await pageStatement(source, what, bounds).execute(db)
  if (!rows[0]) throw new Error('an aggregate without a row')
  return pageOf(rows[0], bounds.limit)
}

const jsonOf = (text: string | null) => `[${text ?? ''}]`

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
