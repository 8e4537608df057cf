import type { TablePreference } from '#contract/settings/preferences.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf, readDayOf } from '#domain/calendar/day-range.ts'
import { isPreset, type Preset, presetRange, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import type { CriterionInput } from '#domain/filter/filter.ts'

/** Over which days the usage screen looks: a named range that moves with the day, or days that were picked. */
export type UsagePeriod = { preset: Preset; range?: undefined } | { preset?: undefined; range: DayRange }

const DEFAULT_PRESET: Preset = '1 Day'

/** What the screen shows, before any column is filtered. */
export type UsageChoice = { period: UsagePeriod; isActiveOnly: boolean }

type Saved = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange' | 'activeOnly'>

export function readChoice(saved: Saved, timeZone: string): UsageChoice {
  return { period: readPeriod(saved, timeZone), isActiveOnly: saved.activeOnly ?? false }
}

/** Empty for the defaults, so that a default view is saved as an empty one. */
export function saveChoice({ period, isActiveOnly }: UsageChoice): Saved {
  return { ...savePeriod(period), ...(isActiveOnly ? { activeOnly: true } : {}) }
}

/** Saved dates come back as picked days, otherwise the saved name counts; what cannot be read is the default. */
function readPeriod({ startDate, endDate, dateRange }: Saved, timeZone: string): UsagePeriod {
  const from = startDate && readDayOf(startDate, timeZone)
  const to = endDate && readDayOf(endDate, timeZone)
  if (from && to && from <= to) return { range: { from, to } }
  const isKnown = dateRange !== undefined && isPreset(dateRange) && USAGE_PRESETS.includes(dateRange)
  return { preset: isKnown ? dateRange : DEFAULT_PRESET }
}

function savePeriod({ preset, range }: UsagePeriod): Saved {
  if (range) return { startDate: range.from, endDate: range.to }
  return preset === DEFAULT_PRESET ? {} : { dateRange: preset }
}

export function daysOf({ preset, range }: UsagePeriod, today: CalendarDay): DayRange {
  return range ?? presetRange(preset, today)
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
