import { compare, divideHalfUp, formatDecimal, multiply, subtract } from '#domain/money/decimal.ts'

/** How usage differs from that of the period before: an arrow and words, so that it needs no color. Empty for nothing. */
export function changeText(used: string, before: string): string {
  const order = compare(used, before)
  if (order === 0) return compare(used, 0) === 0 ? '' : 'The same'
  if (compare(before, 0) === 0) return order > 0 ? '↑ New' : '↓ Less'
  // A percentage of something negative says nothing.
  if (compare(before, 0) < 0) return order > 0 ? '↑ More' : '↓ Less'
  const percent = divideHalfUp(multiply(subtract(used, before), 100), before, 0)
  const text = `${formatDecimal(percent.replace('-', ''), 0)} %`
  return order > 0 ? `↑ ${text} more` : `↓ ${text} less`
}
