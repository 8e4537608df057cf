import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'
import { asListError } from '#server/lists/list-error.ts'

type Question = { readonly filter?: unknown; readonly sorting?: unknown }

/**
 * The browser filters and sorts the rows that it has loaded: an export applies the same rules to the same rows. Rows that
 * are equal to the sorting keep their order.
 */
export function shownRows<Row extends Readonly<Record<string, unknown>>>(
  fields: Fields,
  { filter, sorting }: Question,
  rows: readonly Row[],
): Row[] {
  const parsed = asListError(() => parseFilter(fields, filter))
  const order = asListError(() => parseSorting(fields, sorting))
  const found = rows.filter((row) => matches(parsed, row))
  return order.length > 0 ? found.toSorted(compareBy(order)) : found
}
