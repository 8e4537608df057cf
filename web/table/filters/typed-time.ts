import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { expandPartialTime, type WallTime } from '#domain/calendar/partial-time.ts'

/** From the first second to the second before `until`; an end that is missing is open. */
export type TypedTimes = { readonly from?: WallTime; readonly until?: WallTime }

const RANGE = /^(.*?\d)\s*(?:–|\s-\s|\bto\b)\s*(\d.*)$/
const COMPARED = /^([<>]=?|[≤≥])\s*(.*)$/

/**
 * Reads a time that may stop anywhere (`2026-1`), a comparison (`> 2026-05`), or a range (`2026-01 – 2026-03`), which ends
 * with the last second of its end. Anything else is undefined.
 */
export function readTypedTimes(text: string): TypedTimes | undefined {
  const [, first, last] = RANGE.exec(text.trim()) ?? []
  if (first !== undefined && last !== undefined) {
    const [from, until] = [expandPartialTime(first)?.from, expandPartialTime(last)?.until]
    return from && until && from < until ? { from, until } : undefined
  }
  const [, sign, rest = ''] = COMPARED.exec(text.trim()) ?? []
  if (sign === undefined) return expandPartialTime(text)
  const span = expandPartialTime(rest)
  if (!span) return undefined
  switch (sign) {
    case '<':
      return { until: span.from }
    case '>':
      return { from: span.until }
    case '<=':
    case '≤':
      return { until: span.until }
    default:
      return { from: span.from }
  }
}

/** Days, both included. */
export type TypedDays = { readonly from: CalendarDay | null; readonly to: CalendarDay | null }

/** Reads typed days: a time of day is no day. Only comparisons and ranges: `2026-03` alone is searched as text. */
export function readTypedDays(text: string): TypedDays | undefined {
  if (text.includes(':') || !isRangeOfTimes(text)) return undefined
  const times = readTypedTimes(text)
  if (!times) return undefined
  const days = {
    from: times.from?.slice(0, 10) ?? null,
    to: times.until === undefined ? null : addDays(times.until.slice(0, 10), -1),
  }
  return [times.from, times.until].every((time) => time === undefined || time.endsWith('T00:00:00')) ? days : undefined
}

function isRangeOfTimes(text: string): boolean {
  return RANGE.test(text.trim()) || COMPARED.test(text.trim())
}
