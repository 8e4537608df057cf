import { sum } from '#domain/money/decimal.ts'

type Draw = { readonly month: string; readonly used: number }

/**
 * Every month from the first charge to the last, including months without a charge: a chart would not show them as a
 * gap.
 */
export function everyMonth(draws: readonly Draw[]): Draw[] {
  const [first, last] = [draws[0], draws.at(-1)]
  if (!first || !last) return []
  const usedIn = new Map(draws.map(({ month, used }) => [month, used]))
  const months: Draw[] = []
  for (let month = first.month; month <= last.month; month = monthAfter(month))
    months.push({ month, used: usedIn.get(month) ?? 0 })
  return months
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`
}

/** To the last hundredth: this is what Used must say as well. */
export function totalDraw(draws: readonly Draw[]): number {
  return Number(sum(draws.map(({ used }) => used)))
}
