import Big from 'big.js'
import { type Decimal, usedPercentage } from '#domain/entitlements/used-percentage.ts'

/** What was bought, and the charges booked on it. Units are exact decimals. */
export type ElasticUnits = { readonly lines: number; readonly unitsPerLine: Decimal; readonly used: Decimal }

export function totalUnits({ lines, unitsPerLine }: Omit<ElasticUnits, 'used'>): Big {
  return new Big(unitsPerLine).times(lines)
}

/** What the screens show: to one decimal, never below nothing or above all. Statements go on exactly. */
export function shownRemaining(units: ElasticUnits): number {
  const total = totalUnits(units)
  const left = total.minus(units.used).round(1, Big.roundHalfUp)
  if (left.lte(0)) return 0
  return (left.gt(total) ? total : left).toNumber()
}

export function unitsUsedPercentage(units: ElasticUnits): number {
  return usedPercentage(units.used, totalUnits(units))
}
