import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type ElasticUnits, unitsUsedPercentage } from '#domain/entitlements/elastic-balance.ts'
import { EXPIRED, NOT_STARTED, remainingDays, type Term } from '#domain/entitlements/term.ts'

/** Active or inactive: which of a screen's two tables a row is in. The server's lists decide the same in SQL. */
export function isLeaseActive(term: Term, today: CalendarDay): boolean {
  const remaining = remainingDays(term, today)
  return remaining !== NOT_STARTED && remaining !== EXPIRED
}

/** Used-up units are inactive even before their end. */
export function isElasticActive(term: Term, units: ElasticUnits, today: CalendarDay): boolean {
  return isLeaseActive(term, today) && unitsUsedPercentage(units) !== 100
}

/** A spending account can be ordered from before it starts. */
export function isContractActive(term: Term, today: CalendarDay): boolean {
  return remainingDays(term, today) !== EXPIRED
}
