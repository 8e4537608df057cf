import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'

/**
 * The first day whose use counts. A month counts from its first day, also for a limit that was made or begins within it. "In all"
 * counts from the first day of the limit; null: from the beginning.
 */
export function periodStart({ period, from }: Pick<Limit, 'period' | 'from'>, today: CalendarDay): CalendarDay | null {
  if (period === 'day') return today
  return period === 'month' ? startOfMonth(today) : from
}

/** The day on which nothing counts any more, because the next period begins or the limit is over; null if never. */
export function resetDay({ period, to }: Pick<Limit, 'period' | 'to'>, today: CalendarDay): CalendarDay | null {
  const after = to === null ? null : addDays(to, 1)
  if (period === 'all') return after
  const next = period === 'day' ? addDays(today, 1) : addMonths(startOfMonth(today), 1)
  return after !== null && after < next ? after : next
}
