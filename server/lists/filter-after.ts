import type { ParsedElement, ParsedFilter, ParsedSorting } from '#domain/filter/parsed-filter.ts'
import type { Cursor } from '#server/lists/keyset.ts'
import type { ListFields } from '#server/lists/list-source.ts'

/**
 * What is left of a filter for the rows after a cursor. The cursor lies within the filter, so the end of a range that the
 * order comes from is behind it. Left in, it is where PostgreSQL begins to read, and page 10,000 walks past all before it.
 */
export function filterAfter(
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
