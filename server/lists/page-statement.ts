import { type RawBuilder, sql } from 'kysely'
import type { ParsedElement, ParsedFilter, ParsedSorting } from '#domain/filter/parsed-filter.ts'
import { onTheWire, ordered, present } from '#server/lists/column-forms.ts'
import { type Cursor, type OrderColumn, orderBy, orderWithin, piecesAfter, wholePieces } from '#server/lists/keyset.ts'
import { columnOf, fieldNamed, selectionBy } from '#server/lists/list-query.ts'
import type { ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'

export type PageBounds = {
  readonly order: ParsedSorting
  readonly limit: number
  readonly attributes: readonly string[] | undefined
  readonly offset: number
  /** Where the previous page ended; the offset is 0 then. */
  readonly cursor?: Cursor
}

/** The scope of the rows, and the filter. */
export type ScopedFilter<S extends ListScope> = { readonly scope: S; readonly filter: ParsedFilter }

/** The rows as JSON, the cursor at the end of the page, and the number of rows found, at most one more than the limit. */
export type PageRecord = { text: string | null; cursor: string | null; found: number }

/** The limit is part of the text, so that the planner knows that a page is short, also in a generic plan. */
export function pageStatement<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  rows: ScopedFilter<S>,
  bounds: PageBounds,
): RawBuilder<PageRecord> {
  const { fields } = source
  const attributes = bounds.attributes?.length ? [...new Set(bounds.attributes)] : Object.keys(fields)
  const names = [...new Set([...attributes, ...bounds.order.map(({ name }) => name)])]
  const alias = (name: string) => sql.raw(`page.c${names.indexOf(name)}`)
  const wire = attributes.map((name, at) => {
    const field = fieldNamed(fields, name, `attributes[${at}]`)
    return sql`${onTheWire(field.type, present(field, alias(name)))} as ${sql.id(name)}`
  })
  const limit = sql.lit(bounds.limit)

  // One more row than the page shows whether there is a next page. Rows are cut before anything is rendered: rendering
  // what the sort then drops would cost more than the sort.
  return sql<PageRecord>`
    select
      string_agg(rendered.line, ',' order by page.n) filter (where page.n <= ${limit}) as text,
      max(case when page.n = ${limit} then json_build_array(${sql.join(bounds.order.map(({ name }) => sql`${alias(name)}::text`))})::text end) as cursor,
      count(*)::int as found
    from (select cut.*, row_number() over () as n from (${cutRows(source, rows, { ...bounds, limit: bounds.limit + 1 }, names)}) cut) page
    cross join lateral (select row_to_json(wire)::text as line from (select ${sql.join(wire)}) wire) rendered`
}

export function pageOf({ text, cursor, found }: PageRecord, limit: number) {
  const hasMore = found > limit && cursor !== null
  return { text, rows: Math.min(found, limit), next: hasMore ? (JSON.parse(cursor) as Cursor) : null }
}

/** The first rows in order, up to the limit, with the named fields as c0, c1, … */
export function cutRows<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  { scope, filter }: ScopedFilter<S>,
  { order, limit, offset, cursor }: PageBounds,
  names: readonly string[],
): RawBuilder<unknown> {
  const { fields, key } = source
  const ahead = cursor ? filterAfter(fields, filter, order, cursor) : filter
  const { from, where } = selectionBy(source, scope, ahead)
  const columns = sql.join(
    names.map((name, at) => sql`${columnOf(fieldNamed(fields, name, name))} as ${sql.raw(`c${at}`)}`),
  )
  const by = (columnFor: (name: string) => RawBuilder<unknown>): OrderColumn[] =>
    order.map(({ name, type, descending, missingIsFuture = false }) => ({
      column: ordered(type, columnFor(name)),
      descending,
      nullable: !key.includes(name) && fields[name]?.nullable !== false && !fields[name]?.missingIsInfinity,
      missingFirst: descending && missingIsFuture,
    }))
  const inTable = by((name) => columnOf(fieldNamed(fields, name, name)))
  const piece = (condition: RawBuilder<unknown>, most: number) =>
    sql`select ${columns} from ${from} where ${condition} order by ${orderWithin(inTable)} limit ${sql.lit(most)}`

  const conditions = cursor ? piecesAfter(inTable, cursor) : wholePieces(inTable)
  if (!cursor && conditions.length === 1) return sql`${piece(where, limit)} offset ${offset}`
  const pieces = conditions.map((condition) => sql`(${piece(sql`${where} and (${condition})`, limit + offset)})`)
  const whole = orderBy(by((name) => sql.raw(`c${names.indexOf(name)}`)))
  return sql`select * from (${sql.join(pieces, sql` union all `)}) pieces order by ${whole} limit ${sql.lit(limit)} offset ${offset}`
}

/**
 * The part of a filter that still matters after a cursor. The cursor lies within the filter, so the end of a range that
 * the order starts from is already satisfied. If it were kept, PostgreSQL would start reading there, and page 10,000
 * would walk past all rows before it.
 */
function filterAfter(
  fields: ListFields,
  filter: ParsedFilter,
  [first]: ParsedSorting,
  [value = null]: Cursor,
): ParsedFilter {
  if (!first || value === null || filter.condition !== 'ALL') return filter
  const passed = (element: ParsedElement): ParsedElement => {
    if ('criteria' in element || element.not || element.check.kind !== 'range') return element
    if (fields[element.name]?.column !== fields[first.name]?.column) return element
    const { low, high, ...check } = element.check
    const ahead = first.descending ? low && { low } : high && { high }
    return { ...element, check: { ...check, ...ahead } }
  }
  return { ...filter, criteria: filter.criteria.map(passed) }
}
