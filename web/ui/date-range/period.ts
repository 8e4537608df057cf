import type { TablePreference } from '#contract/settings/preferences.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type DayRange, readDayOf } from '#domain/calendar/day-range.ts'
import { isPreset, type Preset, presetRange, USAGE_PRESETS } from '#domain/calendar/presets.ts'

/** The days that a screen shows: a named range relative to today, or picked days. */
export type Period = { preset: Preset; range?: undefined } | { preset?: undefined; range: DayRange }

/** What a screen offers, and what it opens with. */
export type PeriodChoice = { presets: readonly Preset[]; fallback: Preset }

/** Reports cover two years at most. */
export const REPORT_PERIODS: PeriodChoice = {
  presets: USAGE_PRESETS.filter((preset) => preset !== 'Max'),
  fallback: '1 Month',
}

type Saved = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange'>

/** Saved dates come back as picked days, otherwise the saved name counts; what cannot be read is the default. */
export function readPeriod(
  { startDate, endDate, dateRange }: Saved,
  timeZone: string,
  { presets, fallback }: PeriodChoice,
): Period {
  const from = startDate && readDayOf(startDate, timeZone)
  const to = endDate && readDayOf(endDate, timeZone)
  if (from && to && from <= to) return { range: { from, to } }
  const isKnown = dateRange !== undefined && isPreset(dateRange) && presets.includes(dateRange)
  return { preset: isKnown ? dateRange : fallback }
}

/** Empty for the default. */
export function savePeriod({ preset, range }: Period, { fallback }: PeriodChoice): Saved {
  if (range) return { startDate: range.from, endDate: range.to }
  return preset === fallback ? {} : { dateRange: preset }
}

export function daysOf({ preset, range }: Period, today: CalendarDay): DayRange {
  return range ?? presetRange(preset, today)
}
