import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth, startOfQuarter, startOfWeek, startOfYear } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'

/** No usage was metered before this day. */
const FIRST_USAGE: CalendarDay = '2018-01-01'

/** 'N Days' and 'N Months' look back from today: today and the same stretch before it. */
const RANGES = {
  '1 Day': (today) => ({ from: addDays(today, -1), to: today }),
  '5 Days': (today) => ({ from: addDays(today, -5), to: today }),
  '1 Month': (today) => ({ from: addMonths(today, -1), to: today }),
  '3 Months': (today) => ({ from: addMonths(today, -3), to: today }),
  '6 Months': (today) => ({ from: addMonths(today, -6), to: today }),
  YTD: (today) => ({ from: startOfYear(today), to: today }),
  '1 Year': (today) => ({ from: addMonths(today, -12), to: today }),
  '2 Years': (today) => ({ from: addMonths(today, -24), to: today }),
  Max: (today) => ({ from: FIRST_USAGE, to: today }),
  Today: (today) => ({ from: today, to: today }),
  Yesterday: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  'This week': (today) => ({ from: startOfWeek(today), to: today }),
  'Last week': (today) => endingBefore(startOfWeek(today), (start) => addDays(start, -7)),
  'Last two weeks': (today) => endingBefore(startOfWeek(today), (start) => addDays(start, -14)),
  'This month': (today) => ({ from: startOfMonth(today), to: today }),
  'Last month': (today) => endingBefore(startOfMonth(today), (start) => addMonths(start, -1)),
  'This quarter': (today) => ({ from: startOfQuarter(today), to: today }),
  'Last quarter': (today) => endingBefore(startOfQuarter(today), (start) => addMonths(start, -3)),
  'This year': (today) => ({ from: startOfYear(today), to: today }),
  'Last year': (today) => endingBefore(startOfYear(today), (start) => addMonths(start, -12)),
} as const satisfies Record<string, (today: CalendarDay) => DayRange>

export type Preset = keyof typeof RANGES

/** The whole period that ended the day before `start`. */
function endingBefore(start: CalendarDay, back: (start: CalendarDay) => CalendarDay): DayRange {
  return { from: back(start), to: addDays(start, -1) }
}

export function presetRange(preset: Preset, today: CalendarDay): DayRange {
  return RANGES[preset](today)
}

export function isPreset(name: string): name is Preset {
  return Object.hasOwn(RANGES, name)
}

export const USAGE_PRESETS: readonly Preset[] = [
  '1 Day',
  '5 Days',
  '1 Month',
  '3 Months',
  '6 Months',
  'YTD',
  '1 Year',
  'Max',
  'Last month',
  'Last quarter',
  'Last year',
]

export const STATEMENT_PRESETS: readonly Preset[] = [
  'Last month',
  'Last two weeks',
  'Last week',
  'This month',
  'This week',
  'Today',
  'Yesterday',
  'Last quarter',
  'Last year',
  'YTD',
]
