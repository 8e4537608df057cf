import type { ParsedElement, ParsedFilter } from '#domain/filter/parsed-filter.ts'

/** A text that is equal for filters that differ only in the order of their criteria, in repetitions or in spelling. */
export function canonicalFilter(filter: ParsedFilter): string {
  const criteria = [...new Set(filter.criteria.map(canonicalElement))].sort()
  return `${filter.condition}(${criteria.join(',')})`
}

function canonicalElement(element: ParsedElement): string {
  if ('condition' in element) return canonicalFilter(element)
  const { name, not, check } = element
  return JSON.stringify([name, not, check])
}
