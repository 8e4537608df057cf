import { addDays, type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'

/** Periods that have a price, in days. 365 stands for one year, which ends the day before the same date, leap year or not. */
export const PRICE_PERIODS = [7, 30, 60, 90, 180, 365] as const
export type PricePeriod = (typeof PRICE_PERIODS)[number]

const ONE_YEAR = 365

/** The duration until the end of the contract. */
export const REMAINDER = 'Remainder'

/** How long an order line runs. */
export type Duration = PricePeriod | typeof REMAINDER

export function durationLabel(duration: Duration): string {
  if (duration === REMAINDER) return REMAINDER
  return duration === ONE_YEAR ? '1 Year' : `${duration} Days`
}

/** The last day of a period, wherever the contract ends. Both the first and the last day count. */
export function periodEnd(startDate: CalendarDay, period: PricePeriod): CalendarDay {
  return period === ONE_YEAR ? yearEnd(startDate) : addDays(startDate, period - 1)
}

/** 29 February has no same date in the next year: such a year ends on 28 February. */
function yearEnd(startDate: CalendarDay): CalendarDay {
  const nextYear = String(Number(startDate.slice(0, 4)) + 1).padStart(4, '0')
  const sameDate = `${nextYear}${startDate.slice(4)}`
  return isCalendarDay(sameDate) ? addDays(sameDate, -1) : `${nextYear}-02-28`
}
