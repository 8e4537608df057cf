import type { TablePreference } from '#contract/settings/preferences.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { instantsOf } from '#domain/calendar/day-range.ts'
import { USAGE_PRESETS } from '#domain/calendar/presets.ts'
import type { CriterionInput } from '#domain/filter/filter.ts'
import { daysOf, type Period, type PeriodChoice, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'

const PERIODS: PeriodChoice = { presets: USAGE_PRESETS, fallback: '1 Day' }

/** What a screen of sessions shows, before any column is filtered. */
export type UsageChoice = { period: Period; isActiveOnly: boolean }

type Saved = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange' | 'activeOnly'>

export function readChoice(saved: Saved, timeZone: string): UsageChoice {
  return { period: readPeriod(saved, timeZone, PERIODS), isActiveOnly: saved.activeOnly ?? false }
}

/** Empty for the defaults, so that a default view is saved as an empty one. */
export function saveChoice({ period, isActiveOnly }: UsageChoice): Saved {
  return { ...savePeriod(period, PERIODS), ...(isActiveOnly ? { activeOnly: true } : {}) }
}

/** What a list of sessions calls its fields. */
export type SessionFields = { start: string; end: string; active: string }

/** Sessions that overlap the days of a choice. A running session has no end yet. */
export function usageDemands(
  { start, end, active }: SessionFields,
  { period, isActiveOnly }: UsageChoice,
  { today, timeZone }: { today: CalendarDay; timeZone: string },
): CriterionInput[] {
  const { from, to } = instantsOf(daysOf(period, today), timeZone)
  return [
    { name: end, method: 'AFTER', value: from.toISOString() },
    { name: start, method: 'BEFORE', value: to.toISOString() },
    ...(isActiveOnly ? [{ name: active, method: 'EQUALS' as const, value: true }] : []),
  ]
}
