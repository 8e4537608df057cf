import { casefold, caseVariants } from '#domain/filter/casefold.ts'
import { compareValues } from '#domain/filter/compare-rows.ts'
import type { FieldType } from '#domain/filter/fields.ts'
import type { Bound, Check, ParsedCriterion, ParsedElement, ParsedFilter } from '#domain/filter/parsed-filter.ts'

type TextCheck = Check & { kind: 'text' }
type RangeCheck = Check & { kind: 'range' }

/**
 * Does every row that passes `narrow` pass `wide` as well? True is certain, so that rows loaded for the wide filter can
 * answer the narrow one. False may only mean that the filters alone do not show it.
 */
export function refines(narrow: ParsedElement, wide: ParsedElement): boolean {
  if (isEmpty(wide)) return true
  if (isEmpty(narrow)) return false
  // The exact rules first: every part of ALL must follow, and it must follow from every alternative of ANY.
  if (isGroup(wide, 'ALL')) return wide.criteria.every((each) => refines(narrow, each))
  if (isGroup(narrow, 'ANY')) return narrow.criteria.every((each) => refines(each, wide))
  if (isGroup(narrow, 'ALL') && narrow.criteria.some((each) => refines(each, wide))) return true
  if (isGroup(wide, 'ANY')) return wide.criteria.some((each) => refines(narrow, each))
  return !('criteria' in narrow) && !('criteria' in wide) && refinesCriterion(narrow, wide)
}

function isEmpty(element: ParsedElement): boolean {
  return 'criteria' in element && element.criteria.length === 0
}

function isGroup(element: ParsedElement, condition: 'ANY' | 'ALL'): element is ParsedFilter {
  return 'criteria' in element && element.condition === condition
}

function refinesCriterion(one: ParsedCriterion, other: ParsedCriterion): boolean {
  if (one.name !== other.name || one.not !== other.not) return false
  if (JSON.stringify(one.check) === JSON.stringify(other.check)) return true
  // Negation swaps narrow and wide.
  const [narrow, wide] = one.not ? [other.check, one.check] : [one.check, other.check]
  if (wide.kind === 'defined') return narrow.kind !== 'range' || !narrow.orMissing
  if (narrow.kind === 'text' && wide.kind === 'text') return textWithin(narrow, wide)
  return narrow.kind === 'range' && wide.kind === 'range' && rangeWithin(narrow, wide, one.type)
}

function textWithin(narrow: TextCheck, wide: TextCheck): boolean {
  // A case-insensitive match implies a case-sensitive one only if the needle has no upper and lower case.
  if (narrow.casefold && !wide.casefold && hasCase(wide.needle)) return false
  const needle = wide.casefold ? casefold(narrow.needle) : narrow.needle
  switch (wide.match) {
    case 'anywhere':
      return needle.includes(wide.needle)
    case 'start':
      return (narrow.match === 'start' || narrow.match === 'whole') && needle.startsWith(wide.needle)
    case 'end':
      return (narrow.match === 'end' || narrow.match === 'whole') && needle.endsWith(wide.needle)
    case 'whole':
      return narrow.match === 'whole' && needle === wide.needle
  }
}

function hasCase(needle: string): boolean {
  return [...needle].some((character) => caseVariants(casefold(character)) !== '')
}

function rangeWithin(narrow: RangeCheck, wide: RangeCheck, type: FieldType): boolean {
  if (narrow.orMissing && !wide.orMissing) return false
  return endWithin(narrow.low, wide.low, type, 1) && endWithin(narrow.high, wide.high, type, -1)
}

/** `inwards` is 1 for the low end and -1 for the high one. */
function endWithin(narrow: Bound | undefined, wide: Bound | undefined, type: FieldType, inwards: 1 | -1): boolean {
  if (!wide) return true
  if (!narrow) return false
  const order = compareValues(type, narrow.value, wide.value) * inwards
  return order > 0 || (order === 0 && (wide.included || !narrow.included))
}
