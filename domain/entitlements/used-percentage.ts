import { compare, type Decimal, divideHalfUp, multiply } from '#domain/money/decimal.ts'

/**
 * Whole percent of a bar: 0 only if nothing is used, and 100 only if nothing is left. A total of 0 is 0 percent used.
 */
export function usedPercentage(used: Decimal, total: Decimal): number {
  if (compareAmounts(total, 0) <= 0 || compareAmounts(used, 0) <= 0) return 0
  if (compareAmounts(used, total) >= 0) return 100
  return Math.min(Math.max(roundedPercentage(used, total), 1), 99)
}

/** Days are whole numbers, and there are thousands of rows: they need no decimals. */
const isWhole = (amount: Decimal): amount is number => Number.isSafeInteger(amount) && Math.abs(Number(amount)) < 1e12

const compareAmounts = (one: Decimal, other: Decimal) =>
  isWhole(one) && isWhole(other) ? one - other : compare(one, other)

function roundedPercentage(used: Decimal, total: Decimal): number {
  if (isWhole(used) && isWhole(total)) return Math.floor((200 * used + total) / (2 * total))
  return Number(divideHalfUp(multiply(used, 100), total, 0))
}
