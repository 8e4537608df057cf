import { type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { type FsaProduct, pricedPeriods } from '#domain/fsa/contract.ts'
import { type Duration, periodEnd, REMAINDER } from '#domain/fsa/duration.ts'
import { divideHalfUp, multiply, toFixedText } from '#domain/money/decimal.ts'

/** What can be chosen for a product and a start: each option has one end and one price, and no two have the same end. */
export type DurationOption = {
  readonly duration: Duration
  readonly endDate: CalendarDay
  /** For one count, to the cent. */
  readonly unitCost: string
}

/** Price periods that fit, the shortest first; then the remainder, unless a period ends exactly with the contract. */
export function durationOptions(
  product: FsaProduct,
  startDate: CalendarDay,
  contractEnd: CalendarDay,
): DurationOption[] {
  if (startDate > contractEnd) return []
  const fitting = pricedPeriods(product)
    .map((period) => ({
      duration: period,
      endDate: periodEnd(startDate, period),
      unitCost: toFixedText(product.prices[period] ?? 0, 2),
    }))
    .filter(({ endDate }) => endDate <= contractEnd)
  const unitCost = remainderCost(product, startDate, contractEnd)
  if (unitCost === undefined || fitting.some(({ endDate }) => endDate === contractEnd)) return fitting
  return [...fitting, { duration: REMAINDER, endDate: contractEnd, unitCost }]
}

/** The longest period that fits is the default. The remainder is the default only where no period fits. */
export function longestFitting(options: readonly DurationOption[]): DurationOption | undefined {
  return options.findLast(({ duration }) => duration !== REMAINDER) ?? options[0]
}

/** Prorated from the longest period that fits, or from the shortest where none does; rounded once. */
function remainderCost(product: FsaProduct, startDate: CalendarDay, contractEnd: CalendarDay): string | undefined {
  const periods = pricedPeriods(product)
  const period = periods.findLast((one) => periodEnd(startDate, one) <= contractEnd) ?? periods[0]
  if (period === undefined) return undefined
  const days = daysBetween(startDate, contractEnd) + 1
  // The price of one year is always divided by 365.
  return toFixedText(divideHalfUp(multiply(product.prices[period] ?? 0, days), period, 2), 2)
}
