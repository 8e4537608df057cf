import { addDays, type CalendarDay, daysBetween, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { Term } from '#domain/entitlements/term.ts'

/** The days of a range in a time zone. Finding where days start takes time: do it once for all products. */
export type RangeDays = {
  readonly days: readonly CalendarDay[]
  /** When each day starts. */
  readonly starts: readonly Date[]
}

export function daysIn({ from, to }: DayRange, timeZone: string): RangeDays {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
  return { days, starts: days.map((day) => startOfDay(timeZone, day)) }
}

/** How many seats the account has on each day of the range. */
export function seatsPerDay(
  entitlements: readonly { readonly term: Term; readonly quantity: number }[],
  { days }: Pick<RangeDays, 'days'>,
): number[] {
  const first = days[0]
  if (first === undefined) return []
  // The change from one day to the next: two entries per term, no matter how long it is.
  const changes = new Array<number>(days.length + 1).fill(0)
  const indexOf = (day: CalendarDay) => Math.min(days.length, Math.max(0, daysBetween(first, day)))
  for (const { term, quantity } of entitlements) {
    const begin = indexOf(term.startDate)
    const end = term.endDate === null ? days.length : indexOf(addDays(term.endDate, 1))
    if (begin >= end) continue
    changes[begin]! += quantity
    changes[end]! -= quantity
  }
  let seats = 0
  return days.map((_, index) => (seats += changes[index]!))
}
