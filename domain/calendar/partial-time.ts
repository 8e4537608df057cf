import { daysInMonth } from '#domain/calendar/calendar-periods.ts'

/** Wall-clock time as `2026-01-31T09:30:00`, in no zone. */
export type WallTime = string

/** What a half-typed time covers: from its first second up to, but without, the second where it no longer fits. */
export type TimeSpan = { readonly from: WallTime; readonly until: WallTime }

const TYPED = /^(\d{1,4})(?:-(\d{0,2})(?:-(\d{0,2})(?:[ T](\d{0,2})(?::(\d{0,2})(?::(\d{0,2}))?)?)?)?)?$/

/** Year, month, day, hour, minute, second: the smallest value, and how many digits are typed. */
const LOWEST = [1000, 1, 1, 0, 0, 0] as const
const HIGHEST = [9998, 12, 31, 23, 59, 59] as const
const DIGITS = [4, 2, 2, 2, 2, 2] as const

/**
 * Reads a time that is typed from the left and may stop anywhere: '2026' is that year, '202' its decade, '2026-1' October
 * to December, '2026-03-1' the 10th to the 19th, '2026-03-15 1' the hours from 10 to 19, and so on to the second.
 * Anything else is not a time, and undefined.
 */
export function expandPartialTime(typed: string): TimeSpan | undefined {
  const found = TYPED.exec(typed.trim())
  if (!found) return undefined
  const parts = found.slice(1).filter((part) => part)
  const isComplete = (part: string, index: number) => part.length === DIGITS[index]
  // A part can be cut short only where the typing stopped: '202-01' is no time.
  if (!parts.slice(0, -1).every(isComplete) || hasHole(found.slice(1))) return undefined

  const first: number[] = []
  const last: number[] = []
  for (const [index, part] of parts.entries()) {
    const span = valuesOf(part, index, first)
    if (!span) return undefined
    first.push(span.lowest)
    last.push(span.highest)
  }
  const next = last.with(-1, (last.at(-1) ?? 0) + 1)
  return { from: wallTime(first), until: wallTime(next) }
}

/** '2026--15' and the like: something follows where nothing was typed. */
function hasHole(parts: readonly (string | undefined)[]): boolean {
  const end = parts.findIndex((part) => !part)
  return end >= 0 && parts.slice(end).some((part) => part)
}

/** The values that begin with these digits: '1' as a month can become 10, 11 or 12. */
function valuesOf(part: string, index: number, before: readonly number[]) {
  const width = DIGITS[index] ?? 2
  const greatest = index === 2 ? daysInMonth(before[0] ?? 0, before[1] ?? 1) : (HIGHEST[index] ?? 0)
  const lowest = Math.max(Number(part.padEnd(width, '0')), LOWEST[index] ?? 0)
  const highest = Math.min(Number(part.padEnd(width, '9')), greatest)
  return lowest <= highest ? { lowest, highest } : undefined
}

/** Values beyond their end carry over: month 13 is January of the next year. */
function wallTime([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[]): WallTime {
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString().slice(0, 19)
}
