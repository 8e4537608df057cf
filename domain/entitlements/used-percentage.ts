import Big from 'big.js'

/** An exact decimal: text or a number as it stands on the wire. */
export type Decimal = Big.BigSource

/**
 * Whole percent of a bar. It never says "nothing" when something is used, nor "all" while something is left; nothing in
 * all means nothing used.
 */
export function usedPercentage(used: Decimal, total: Decimal): number {
  const [part, whole] = [new Big(used), new Big(total)]
  if (whole.lte(0) || part.lte(0)) return 0
  if (part.gte(whole)) return 100
  const rounded = part.times(100).div(whole).round(0, Big.roundHalfUp).toNumber()
  return Math.min(Math.max(rounded, 1), 99)
}
