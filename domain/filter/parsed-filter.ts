import type { FieldType } from '#domain/filter/fields.ts'

/**
 * The parsed form: eighteen methods come down to five checks, already checked against the list's fields, with every value
 * in its exact text form. A missing value fails every check but `orMissing`, so `not` is plain negation.
 */
export type Check =
  | { readonly kind: 'defined' }
  | { readonly kind: 'text'; readonly match: TextMatch; readonly needle: string; readonly casefold: boolean }
  | { readonly kind: 'range'; readonly low?: Bound; readonly high?: Bound; readonly orMissing: boolean }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'member'; readonly value: string }

export type TextMatch = 'anywhere' | 'start' | 'end' | 'whole'

/** One end of a range. The value is a plain decimal, an ISO instant in UTC or a calendar day, as the field's type is. */
export type Bound = { readonly value: string; readonly included: boolean }

export type ParsedCriterion = {
  readonly name: string
  readonly type: FieldType
  readonly not: boolean
  readonly check: Check
}
export type ParsedFilter = { readonly condition: 'ANY' | 'ALL'; readonly criteria: readonly ParsedElement[] }
export type ParsedElement = ParsedCriterion | ParsedFilter

export const EVERYTHING: ParsedFilter = { condition: 'ALL', criteria: [] }

/** Sort rules, the strongest first. A missing value counts as the greatest, as in PostgreSQL. */
export type ParsedSorting = readonly SortKey[]
export type SortKey = {
  readonly name: string
  readonly type: FieldType
  readonly descending: boolean
  /** A missing value is the greatest, not the last in either direction. */
  readonly missingIsFuture?: boolean
}

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
