import { type CalendarDay, isCalendarDay, isOnCalendar } from '#domain/calendar/calendar-day.ts'
import { refuse } from '#domain/filter/filter-error.ts'
import { trimEndOf } from '#domain/trim-characters.ts'

const MAX_TEXT = 1000
const MAX_DIGITS = 40

/** Readers of filter values as callers may send them. A value of another type is refused with its path. */
export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') return refuse(path, `value must be text, not ${kindOf(value)}`)
  if (value.length > MAX_TEXT) refuse(path, `value is longer than ${MAX_TEXT} characters`)
  if (value.includes('\0')) refuse(path, 'value contains a NUL character')
  if (!value.isWellFormed()) refuse(path, 'value is not well-formed text')
  return value
}

/** A JSON number, or its text where a binary number would lose digits. Comes back as a plain decimal. */
export function readNumber(value: unknown, path: string): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return refuse(path, `value must be a number, not ${kindOf(value)}`)
  const plain = plainDecimal(text)
  return plain ?? refuse(path, `value must be a number of at most ${MAX_DIGITS} digits, such as 12.5`)
}

/** Written out without an exponent: a short "1e9999999" must not become a long number in the database. */
function plainDecimal(text: string): string | undefined {
  const parts = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i.exec(text)
  if (!parts) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point < -MAX_DIGITS || point > MAX_DIGITS) return /^0*$/.test(digits) ? '0' : undefined
  const before = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '') || '0'
  const after = trimEndOf(point < 0 ? '0'.repeat(-point) + digits : digits.slice(point), '0')
  const isZero = before === '0' && after === ''
  return `${sign === '-' && !isZero ? '-' : ''}${before}${after && `.${after}`}`
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-]([01]\d|2[0-3]):?([0-5]\d))$/i

/**
 * An instant in milliseconds since 1970: an ISO time with its offset (digits beyond milliseconds are dropped), those
 * milliseconds themselves, or a bare day for its midnight in UTC.
 */
export function readInstant(value: unknown, path: string): number {
  const instant = typeof value === 'number' ? value : typeof value === 'string' ? instantOf(value) : Number.NaN
  if (!Number.isInteger(instant) || !isOnCalendar(instant))
    refuse(
      path,
      `value must be an instant such as 2026-01-31T09:30:00.000Z${typeof value === 'string' ? '' : `, not ${kindOf(value)}`}`,
    )
  return instant
}

function instantOf(text: string): number {
  if (isCalendarDay(text)) return Date.parse(`${text}T00:00:00.000Z`)
  const parts = INSTANT.exec(text)
  if (!parts) return Number.NaN
  const [, day = '', hour, minute, second = '00', fraction = '', offset = '', hours = '0', minutes = '0'] = parts
  if (!isCalendarDay(day)) return Number.NaN
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (offset.startsWith('-') ? -1 : 1)
  return Date.parse(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`) - ahead
}

/** A calendar day. An instant counts as the day that is written in it, in any zone. */
export function readDay(value: unknown, path: string): CalendarDay {
  if (typeof value !== 'string') return refuse(path, `value must be a day, not ${kindOf(value)}`)
  if (isCalendarDay(value) || !Number.isNaN(instantOf(value))) return value.slice(0, 10)
  return refuse(path, 'value must be a day such as 2026-01-31')
}

export function readTruth(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : refuse(path, `value must be true or false, not ${kindOf(value)}`)
}

/** `[low, high]`; null leaves an end open. */
export function readPair(value: unknown, path: string): [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2) return refuse(path, 'value must be a list of two ends: [low, high]')
  return [value[0], value[1]]
}

export function isoText(instant: number): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
