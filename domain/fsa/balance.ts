import { usedPercentage } from '#domain/entitlements/used-percentage.ts'
import { compare, type Decimal, subtract, toFixedText } from '#domain/money/decimal.ts'

/** The remaining balance on the screens: never below 0. */
export function remainingAmount(price: Decimal, used: Decimal): string {
  const left = subtract(price, used)
  return toFixedText(compare(left, 0) < 0 ? 0 : left, 2)
}

/** Whole percent: 0 only if nothing is used, 100 only if all is. */
export const spentPercentage = (price: Decimal, used: Decimal): number => usedPercentage(used, price)
