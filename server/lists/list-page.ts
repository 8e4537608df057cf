import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { MAX_PAGE } from '#contract/kit/list.ts'
import type { ParsedSorting } from '#domain/kit/filter-parsed.ts'
import { onTheWire, ordered, present } from '#server/lists/column-forms.ts'
import type { ContinuationTokens, TokenBinding } from '#server/lists/continuation-tokens.ts'
import { type Cursor, type OrderColumn, orderBy, piecesAfter } from '#server/lists/keyset.ts'
import { ListFault } from '#server/lists/list-fault.ts'
import {
  columnOf,
  fieldNamed,
  orderOf,
  type ReadingZone,
  type Selection,
  selectionOf,
  wholeNumber,
} from '#server/lists/list-query.ts'
import type { ListField, ListFields, ListScope, ListSource, PageRequest, WireRow } from '#server/lists/list-source.ts'

const DEFAULT_LIMIT = 100
const MAX_OFFSET = 1_000_000_000

export type PageReading = ReadingZone & {
  /** Without them the list cannot be continued by token. */
  readonly tokens?: ContinuationTokens
}

/** A page as objects, for a caller that goes on working with the rows. */
export async function fetchPage<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: PageRequest,
  reading: PageReading = {},
): Promise<{ rows: WireRow<F>[]; token: string | null }> {
  const { json, token } = await fetchPageJson(db, source, scope, request, reading)
  return { rows: JSON.parse(json) as WireRow<F>[], token }
}

/** A page as the JSON text that PostgreSQL made, to be passed on untouched: it halves the server's work per page. */
export async function fetchPageJson<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: PageRequest,
  reading: PageReading = {},
): Promise<{ json: string; token: string | null }> {
  const selection = selectionOf(source, scope, request.filter, reading)
  const order = orderOf(source, request.sorting)
  const limit = wholeNumber(request.limit ?? DEFAULT_LIMIT, 'limit', 1, MAX_PAGE)
  const tokens = source.continuation === false ? undefined : reading.tokens
  const binding: TokenBinding = { list: source.name, scope, filter: selection.filter, order }
  const { text, next } = await readPage(db, source, selection, {
    order,
    limit,
    attributes: request.attributes,
    ...startOf(request, tokens, binding),
  })
  return { json: jsonOf(text), token: next && tokens ? tokens.seal(next, binding) : null }
}

type Start = { readonly offset: number; readonly cursor?: Cursor }

function startOf(request: PageRequest, tokens: ContinuationTokens | undefined, binding: TokenBinding): Start {
  if (!request.token) return { offset: wholeNumber(request.offset ?? 0, 'offset', 0, MAX_OFFSET) }
  if (!tokens) throw new ListFault('fetch by continuation token is not supported')
  return { offset: 0, cursor: tokens.open(request.token, binding) }
}

export type PageBounds = Start & {
  readonly order: ParsedSorting
  readonly limit: number
  readonly attributes: readonly string[] | undefined
}

/** How the database writes a row: a select of one text `line` from the columns that are shown. */
export type Rendering = {
  readonly separator: string
  line(
    shown: readonly { readonly name: string; readonly field: ListField; readonly column: RawBuilder<unknown> }[],
  ): RawBuilder<unknown>
}

const JSON_RENDERING: Rendering = {
  separator: ',',
  line: (shown) =>
    sql`select row_to_json(wire)::text as line from (select ${sql.join(
      shown.map(({ name, field, column }) => sql`${onTheWire(field.type, present(field, column))} as ${sql.id(name)}`),
    )}) wire`,
}

export const jsonOf = (text: string | null) => `[${text ?? ''}]`

/** The rendered rows of one page, and where it ended if there is more. */
export async function readPage<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  selection: Selection,
  bounds: PageBounds,
  rendering: Rendering = JSON_RENDERING,
): Promise<{ text: string | null; rows: number; next: Cursor | null }> {
  const { fields } = source
  const attributes = bounds.attributes?.length ? [...new Set(bounds.attributes)] : Object.keys(fields)
  const names = [...new Set([...attributes, ...bounds.order.map(({ name }) => name)])]
  const alias = (name: string) => sql.raw(`page.c${names.indexOf(name)}`)
  const shown = attributes.map((name, at) => ({
    name,
    field: fieldNamed(fields, name, `attributes[${at}]`),
    column: alias(name),
  }))
  const last = sql`page.n = ${bounds.limit}`

  // Rows are cut to the page before anything is rendered: rendering what the sort then drops would cost more than the sort.
  const result = await sql<{ text: string | null; cursor: string | null; found: number }>`
    select
      string_agg(rendered.line, ${rendering.separator} order by page.n) filter (where page.n <= ${bounds.limit}) as text,
      max(case when ${last} then json_build_array(${sql.join(bounds.order.map(({ name }) => sql`${alias(name)}::text`))})::text end) as cursor,
      count(*)::int as found
    from (select cut.*, row_number() over () as n from (${cutRows(source, selection, bounds, names)}) cut) page
    cross join lateral (${rendering.line(shown)}) rendered`.execute(db)

  const page = result.rows[0]
  if (!page) throw new Error('an aggregate without a row')
  const hasMore = page.found > bounds.limit && page.cursor !== null
  return {
    text: page.text,
    rows: Math.min(page.found, bounds.limit),
    next: hasMore ? (JSON.parse(page.cursor ?? '[]') as Cursor) : null,
  }
}

/** The page's rows and the one after it, which tells that there is more. */
function cutRows<S extends ListScope, F extends ListFields>(
  { fields, key }: ListSource<S, F>,
  { from, where }: Selection,
  { order, limit, offset, cursor }: PageBounds,
  names: readonly string[],
): RawBuilder<unknown> {
  const columns = sql.join(
    names.map((name, at) => sql`${columnOf(fieldNamed(fields, name, name))} as ${sql.raw(`c${at}`)}`),
  )
  const by = (columnFor: (name: string) => RawBuilder<unknown>): OrderColumn[] =>
    order.map(({ name, type, descending }) => ({
      column: ordered(type, columnFor(name)),
      descending,
      nullable: !key.includes(name) && fields[name]?.nullable !== false && !fields[name]?.missingIsInfinity,
    }))
  const inTable = by((name) => columnOf(fieldNamed(fields, name, name)))
  const piece = (condition: RawBuilder<unknown>) =>
    sql`select ${columns} from ${from} where ${condition} order by ${orderBy(inTable)} limit ${limit + 1}`

  if (!cursor) return sql`${piece(where)} offset ${offset}`
  const pieces = piecesAfter(inTable, cursor).map((after) => sql`(${piece(sql`${where} and (${after})`)})`)
  const whole = orderBy(by((name) => sql.raw(`c${names.indexOf(name)}`)))
  return sql`select * from (${sql.join(pieces, sql` union all `)}) pieces order by ${whole} limit ${limit + 1}`
}
