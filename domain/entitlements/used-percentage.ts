import { compare, type Decimal, divideHalfUp, multiply } from '#domain/money/decimal.ts'

/**
 * Whole percent of a bar. It never says "nothing" when something is used, nor "all" while something is left; nothing in
 * all means nothing used.
 */
export function usedPercentage(used: Decimal, total: Decimal): number {
  if (compare(total, 0) <= 0 || compare(used, 0) <= 0) return 0
  if (compare(used, total) >= 0) return 100
  const rounded = Number(divideHalfUp(multiply(used, 100), total, 0))
  return Math.min(Math.max(rounded, 1), 99)
}
