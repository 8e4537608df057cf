import type { TablePreference } from '#contract/settings/preferences.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import { USAGE_PRESETS } from '#domain/calendar/presets.ts'
import type { CriterionInput } from '#domain/filter/filter.ts'
import { type Period, type PeriodChoice, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'

const PERIODS: PeriodChoice = { presets: USAGE_PRESETS, fallback: '1 Day' }

/** What the screen shows, before any column is filtered. */
export type UsageChoice = { period: Period; isActiveOnly: boolean }

type Saved = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange' | 'activeOnly'>

export function readChoice(saved: Saved, timeZone: string): UsageChoice {
  return { period: readPeriod(saved, timeZone, PERIODS), isActiveOnly: saved.activeOnly ?? false }
}

/** Empty for the defaults, so that a default view is saved as an empty one. */
export function saveChoice({ period, isActiveOnly }: UsageChoice): Saved {
  return { ...savePeriod(period, PERIODS), ...(isActiveOnly ? { activeOnly: true } : {}) }
}

/** Sessions that overlap these days. A running session has no end yet. */
export function usageDemands(days: DayRange, timeZone: string, isActiveOnly: boolean): CriterionInput[] {
  const { from, to } = instantsOf(days, timeZone)
  return [
    { name: 'EndTime_ts', method: 'AFTER', value: from.toISOString() },
    { name: 'StartTime_ts', method: 'BEFORE', value: to.toISOString() },
    ...(isActiveOnly ? [{ name: 'Active', method: 'EQUALS' as const, value: true }] : []),
  ]
}
