import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, endDateWith, NOT_STARTED, PERMANENT } from '#domain/entitlements/term.ts'
import type { NumberFilter } from '#web/table/filters/column-filter.ts'
import type { FilterElement } from '#web/table/filters/filter-criteria.ts'
import { readTypedNumber } from '#web/table/filters/typed-number.ts'

const WORDS = [PERMANENT, EXPIRED, NOT_STARTED]
/** The last day of the calendar. */
const MAX_DAYS = 1_000_000

/** Over Remaining Days one types a number, a comparison, or a part of one of the words. */
export function remainingProblem(text: string): string | undefined {
  const typed = text.trim().toUpperCase()
  const isKnown = readTypedNumber(typed) !== undefined || WORDS.some((word) => word.includes(typed))
  return isKnown ? undefined : 'Enter days such as 30, ≤ 90 or 10 – 30, or a word such as EXPIRED'
}

/**
 * Turns remaining days into the end date that the list can filter by. Undefined where no number
 * was typed.
 */
export function remainingElements(
  text: string,
  today: CalendarDay,
  fields: { start: string; end: string },
): FilterElement[] | undefined {
  const filter = readTypedNumber(text)
  if (!filter) return undefined
  const { least, most } = spanOf(filter)
  return [
    { name: fields.end, method: 'ISDEFINED', value: true },
    { name: fields.end, method: '>=', value: endDateWith(Math.max(1, least), today) },
    ...(most < MAX_DAYS ? [{ name: fields.end, method: '<=' as const, value: endDateWith(most, today) }] : []),
    // Before its start, a term shows a word instead of days.
    { name: fields.start, method: '<=', value: today },
  ]
}

function spanOf(filter: NumberFilter): { least: number; most: number } {
  const days = Math.max(-MAX_DAYS, Math.min(MAX_DAYS, filter.filter))
  switch (filter.type) {
    case 'equals':
      return Number.isInteger(days) ? { least: days, most: days } : { least: MAX_DAYS, most: 0 }
    case 'lessThan':
      return { least: 1, most: Math.ceil(days) - 1 }
    case 'lessThanOrEqual':
      return { least: 1, most: Math.floor(days) }
    case 'greaterThan':
      return { least: Math.floor(days) + 1, most: MAX_DAYS }
    case 'greaterThanOrEqual':
      return { least: Math.ceil(days), most: MAX_DAYS }
    case 'inRange':
      return { least: Math.ceil(days), most: Math.min(MAX_DAYS, Math.floor(filter.filterTo)) }
  }
}
