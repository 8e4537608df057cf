import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { UsageTrend } from '#domain/elastic/balances/usage-trend.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import { type Matter, matter, RUNS_OUT_SOON } from '#domain/home/work-list.ts'

type ElasticUnits = {
  /** Elastic entitlements that are valid today, used up or not. */
  readonly balances: readonly { readonly isActive: boolean }[]
  readonly trends: readonly Pick<UsageTrend, 'currency' | 'end'>[]
  /** The last day of the entitlement that ended last; null if none has ended. */
  readonly lastEnd: CalendarDay | null
  /** Somebody was denied on the last days. */
  readonly hasDenials: boolean
}

/** Units that ended longer ago are missed by nobody, unless session starts are denied. */
const MISSED_DAYS = 90

/** Whether elastic units are gone, or when those of each currency run out: on the day that the Elastic screen shows. */
export function unitMatters({ balances, trends, lastEnd, hasDenials }: ElasticUnits, today: CalendarDay): Matter[] {
  if (balances.length === 0) {
    const isMissed = lastEnd !== null && (hasDenials || -daysLeft(lastEnd, today) < MISSED_DAYS)
    return isMissed ? [matter('UNITS_ENDED', { day: lastEnd })] : []
  }
  // Where other units are left, the used-up ones stop nobody.
  if (balances.every(({ isActive }) => !isActive)) return [matter('UNITS_USED_UP', { count: balances.length })]
  return trends.flatMap(({ currency, end }) =>
    end.kind === 'runs out' && daysLeft(end.on, today) <= RUNS_OUT_SOON
      ? [matter('UNITS_RUN_OUT', { subject: trends.length > 1 ? currency : '', day: end.on })]
      : [],
  )
}
