import type { FieldType } from '#domain/filter/fields.ts'
import type { ParsedSorting } from '#domain/filter/parsed-filter.ts'
import { compare, type Decimal } from '#domain/money/decimal.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Puts loaded rows in the order in which the server's SQL returns them. Missing values sort last in both directions,
 * unless they stand for the future: then they are the greatest.
 */
export function compareBy(sorting: ParsedSorting): (one: Row, other: Row) => number {
  return (one, other) => {
    for (const { name, type, descending, missingIsFuture } of sorting) {
      const [left, right] = [one[name] ?? null, other[name] ?? null]
      const isMissing = left === null || right === null
      const order = isMissing ? Number(left === null) - Number(right === null) : compareValues(type, left, right)
      const isReversed = descending && (!isMissing || missingIsFuture)
      if (order !== 0) return isReversed ? -order : order
    }
    return 0
  }
}

export function compareValues(type: FieldType, one: unknown, other: unknown): number {
  switch (type) {
    case 'number':
      return compare(one as Decimal, other as Decimal)
    case 'instant':
      return Date.parse(String(one)) - Date.parse(String(other))
    case 'boolean':
      return Number(one) - Number(other)
    default:
      return compareCodePoints(String(one), String(other))
  }
}

/** The order of UTF-8 bytes. JavaScript's own `<` puts characters beyond U+FFFF before U+E000. */
function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)]
  if (Number.isNaN(left)) return -1
  if (Number.isNaN(right)) return 1
  const rank = (unit: number) => (isSurrogate(unit) ? unit + 0x10000 : unit)
  return rank(left) - rank(right)
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
