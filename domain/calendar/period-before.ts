import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'

/**
 * The period that a period is compared with: as many whole months before it, the same days of the month before for a
 * month so far, and as many days before for everything else.
 */
export function periodBefore({ from, to }: DayRange): DayRange {
  if (from === startOfMonth(from)) {
    const next = addDays(to, 1)
    if (next === startOfMonth(next)) return { from: addMonths(from, -monthsBetween(from, next)), to: addDays(from, -1) }
    if (startOfMonth(to) === from && from < to) return { from: addMonths(from, -1), to: addMonths(to, -1) }
  }
  return { from: addDays(from, -daysBetween(from, to) - 1), to: addDays(from, -1) }
}

function monthsBetween(one: CalendarDay, other: CalendarDay): number {
  const monthOf = (day: CalendarDay) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return monthOf(other) - monthOf(one)
}
