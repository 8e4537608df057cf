import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches, type Row as WireRow } from '#domain/filter/evaluate-filter.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'
import { refines } from '#domain/filter/refine-filter.ts'

/** Filters and sorts rows that are all here, as the server would. Rows that are equal to the sorting keep their order. */
export function answerFromLoaded<Row>(
  rows: readonly Row[],
  fields: Fields,
  filter: FilterInput,
  sorting: readonly SortInput[],
): readonly Row[] {
  const parsed = parseFilter(fields, filter)
  const found = rows.filter((row) => matches(parsed, row as WireRow))
  if (sorting.length === 0) return found
  const compare = compareBy(parseSorting(fields, sorting))
  return found.sort((one, other) => compare(one as WireRow, other as WireRow))
}

/** Whether rows that were loaded for one filter hold the whole answer to another. */
export function isAnsweredBy(fields: Fields, loadedFor: FilterInput, filter: FilterInput): boolean {
  return refines(parseFilter(fields, filter), parseFilter(fields, loadedFor))
}

/** The values that occur in a field, in the order in which the server lists them; null if it is missing somewhere. */
export function distinctOfLoaded<Row>(
  rows: readonly Row[],
  fields: Fields,
  filter: FilterInput,
  field: string,
): (string | null)[] {
  const found = answerFromLoaded(rows, fields, filter, [{ name: field, direction: 'asc' }])
  return [...new Set(found.map((row) => (row as WireRow)[field] ?? null))].map((value) =>
    value === null ? null : String(value),
  )
}
