import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'

/** The term of an entitlement: calendar days of the account, both included. Without an end it is permanent. */
export type Term = { readonly startDate: CalendarDay; readonly endDate: CalendarDay | null }

export const NOT_STARTED = 'NOT STARTED'
export const EXPIRED = 'EXPIRED'
/** What the end of a permanent license says instead of a day. */
export const MAINTENANCE_ENDS_ON = 'Maintenance ends on'
/** A filter of the end column: permanent licenses whose maintenance has ended. */
export const MAINTENANCE_ENDED = 'Maintenance ended'
export const PERMANENT = 'PERMANENT'

/** The values of the Remaining Days column. */
export type Remaining = number | typeof NOT_STARTED | typeof EXPIRED | typeof PERMANENT

export function remainingDays(term: Term, today: CalendarDay): Remaining {
  if (usedDays(term, today) < 0) return NOT_STARTED
  if (term.endDate === null) return PERMANENT
  const days = daysLeft(term.endDate, today)
  return days > 0 ? days : EXPIRED
}

/** The end day still counts: on it, one day is left. */
export function daysLeft(endDate: CalendarDay, today: CalendarDay): number {
  return daysBetween(today, endDate) + 1
}

/** Whether a term that runs today ends within some days: today is the first of them. What has ended does not count. */
export function endsWithin(endDate: CalendarDay, { days, today }: Soon): boolean {
  const left = daysLeft(endDate, today)
  return left >= 1 && left <= days
}

/** How far somebody looks ahead from a day. */
export type Soon = { readonly days: number; readonly today: CalendarDay }

/** The end day of a term that has this many days left today. */
export function endDateWith(days: number, today: CalendarDay): CalendarDay {
  return addDays(today, days - 1)
}

/** Whole days that are over; today is not. Negative before the start. */
export function usedDays(term: Term, today: CalendarDay): number {
  return daysBetween(term.startDate, today)
}

/** How many days the term has in all; undefined if it has no end. */
export function termDays(term: Term): number | undefined {
  return term.endDate === null ? undefined : daysLeft(term.endDate, term.startDate)
}

/** The bar of the Remaining Days column: how much of the term is over. A permanent license has a full bar. */
export function usedDaysPercentage(term: Term, today: CalendarDay): number {
  const days = termDays(term)
  if (remainingDays(term, today) === 'NOT STARTED') return 0
  if (days === undefined) return 100
  // On the first day no day is over, but the term has begun: show a little.
  return Math.max(usedPercentage(usedDays(term, today), days), 1)
}
