import { casefold } from '#domain/filter/casefold.ts'
import { compareValues } from '#domain/filter/compare-rows.ts'
import type { FieldType } from '#domain/filter/fields.ts'
import type { Bound, Check, ParsedCriterion, ParsedElement, ParsedFilter } from '#domain/filter/parsed-filter.ts'
import { type Decimal, toPlainText } from '#domain/money/decimal.ts'

/** A row in wire form; an absent field is a missing value. */
export type Row = Readonly<Record<string, unknown>>

/** Does the row pass? Answers for loaded rows exactly what the server's SQL answers for stored ones. */
export function matches(filter: ParsedFilter, row: Row): boolean {
  if (filter.criteria.length === 0) return true
  const passes = (element: ParsedElement) =>
    'criteria' in element ? matches(element, row) : passesCriterion(element, row[element.name] ?? null)
  return filter.condition === 'ANY' ? filter.criteria.some(passes) : filter.criteria.every(passes)
}

function passesCriterion({ type, not, check }: ParsedCriterion, value: unknown): boolean {
  return passesCheck(check, type, value) !== not
}

function passesCheck(check: Check, type: FieldType, value: unknown): boolean {
  if (value === null) return check.kind === 'range' && check.orMissing
  switch (check.kind) {
    case 'defined':
      return true
    case 'truth':
      return value === check.value
    case 'member':
      return Array.isArray(value) && value.includes(check.value)
    case 'text':
      return holdsText(check, textOf(type, value))
    case 'range':
      return isAbove(check.low, type, value) && isBelow(check.high, type, value)
  }
}

function holdsText(check: Check & { kind: 'text' }, text: string): boolean {
  const searched = check.casefold ? casefold(text) : text
  switch (check.match) {
    case 'anywhere':
      return searched.includes(check.needle)
    case 'start':
      return searched.startsWith(check.needle)
    case 'end':
      return searched.endsWith(check.needle)
    case 'whole':
      return searched === check.needle
  }
}

function isAbove(low: Bound | undefined, type: FieldType, value: unknown): boolean {
  if (!low) return true
  const order = compareValues(type, value, low.value)
  return low.included ? order >= 0 : order > 0
}

function isBelow(high: Bound | undefined, type: FieldType, value: unknown): boolean {
  if (!high) return true
  const order = compareValues(type, value, high.value)
  return high.included ? order <= 0 : order < 0
}

/** A value as `tostring` compares it: a plain decimal without needless zeros; everything else as it is on the wire. */
function textOf(type: FieldType, value: unknown): string {
  return type === 'number' ? toPlainText(value as Decimal) : String(value)
}
