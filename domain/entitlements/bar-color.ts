import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft, type Term } from '#domain/entitlements/term.ts'

export type BarColor = 'red' | 'orange' | 'green'

/** Red when little is left or nothing, orange when it is time to think of renewal. What is permanent never runs out. */
export function remainingDaysColor(term: Term, today: CalendarDay): BarColor {
  if (term.endDate === null) return 'green'
  const days = daysLeft(term.endDate, today)
  if (days <= 30) return 'red'
  return days <= 90 ? 'orange' : 'green'
}

export function usedPercentageColor(percentage: number): BarColor {
  if (percentage >= 95) return 'red'
  return percentage >= 80 ? 'orange' : 'green'
}
