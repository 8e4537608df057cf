import { usedPercentage } from '#domain/entitlements/used-percentage.ts'
import { compare, type Decimal, multiply, roundHalfUp, subtract } from '#domain/money/decimal.ts'

/** What was bought, and the charges booked on it. Units are exact decimals. */
export type ElasticUnits = { readonly lines: number; readonly unitsPerLine: Decimal; readonly used: Decimal }

export function totalUnits({ lines, unitsPerLine }: Omit<ElasticUnits, 'used'>): string {
  return multiply(unitsPerLine, lines)
}

/**
 * The figures on the screens: two decimals, never below nothing or above the total. Statements compute with exact
 * values.
 */
export function shownRemaining(units: ElasticUnits): number {
  const total = totalUnits(units)
  const left = roundHalfUp(subtract(total, units.used), 2)
  if (compare(left, 0) <= 0) return 0
  return Number(compare(left, total) > 0 ? total : left)
}

/** Usage beyond the total, to two decimals. Screens show it next to the remaining units, which are then 0. */
export function overdrawnUnits(units: ElasticUnits): number {
  const over = roundHalfUp(subtract(units.used, totalUnits(units)), 2)
  return compare(over, 0) > 0 ? Number(over) : 0
}

export function unitsUsedPercentage(units: ElasticUnits): number {
  return usedPercentage(units.used, totalUnits(units))
}
