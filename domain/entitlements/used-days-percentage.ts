import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { remainingDays, type Term, termDays, usedDays } from '#domain/entitlements/term.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'

/** The bar of the Remaining Days column: how much of the term is over. What is permanent has a full one. */
export function usedDaysPercentage(term: Term, today: CalendarDay): number {
  const days = termDays(term)
  if (remainingDays(term, today) === 'NOT STARTED') return 0
  if (days === undefined) return 100
  // On the first day none is over, and yet it has begun.
  return Math.max(usedPercentage(usedDays(term, today), days), 1)
}
