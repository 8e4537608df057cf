import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { quoted } from '#domain/filter/filter-error.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'
import type { ParsedFilter, ParsedSorting } from '#domain/filter/parsed-filter.ts'
import { filterToSql, type Ranges } from '#server/lists/filter-to-sql.ts'
import { asListError, ListError } from '#server/lists/list-error.ts'
import type { ListField, ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'

/** Parts of a request that the server sets, not the caller. */
export type ReadingZone = {
  /** The zone of the account, in which whole days of instants are compared. UTC by default. */
  readonly timeZone?: string
}

/** The rows that a request is about, for its page, its count and its distinct values. */
export type Selection = {
  readonly filter: ParsedFilter
  readonly from: Expression<unknown>
  readonly where: RawBuilder<SqlBool>
}

export function filterOf<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  input: unknown,
  { timeZone }: ReadingZone,
): ParsedFilter {
  return asListError(() => parseFilter(source.fields, input, timeZone))
}

export function selectionOf<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  scope: S,
  filterInput: unknown,
  reading: ReadingZone,
): Selection {
  return selectionBy(source, scope, filterOf(source, filterInput, reading))
}

export function selectionBy<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  scope: S,
  filter: ParsedFilter,
  ranges: Ranges = 'indexed',
): Selection {
  return {
    filter,
    from: typeof source.from === 'function' ? source.from(scope) : source.from,
    where: sql<SqlBool>`(${source.scope(scope)}) and ${filterToSql(source.fields, filter, ranges)}`,
  }
}

export function orderOf<S extends ListScope, F extends ListFields>(
  { fields, key, defaultOrder }: ListSource<S, F>,
  sorting: unknown,
): ParsedSorting {
  return completeOrder(
    { fields, key, defaultSort: defaultOrder },
    asListError(() => parseSorting(fields, sorting)),
  )
}

/** A field that the caller named; the path says where in the request. */
export function fieldNamed(fields: ListFields, name: string, path: string): ListField {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) throw new ListError(`${path}: unknown field ${quoted(name)}`)
  return field
}

/** The column of a field, safe to be used in any expression. */
export function columnOf(field: ListField): RawBuilder<unknown> {
  return sql.raw(`(${field.column})`)
}

export function wholeNumber(value: number, name: string, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new ListError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}
