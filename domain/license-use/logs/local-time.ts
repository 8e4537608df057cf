/** A time on the clock of the license server: days since 1970-01-01 (null: the log has not said which day) and seconds of the day. */
export type LocalTime = { readonly day: number | null; readonly seconds: number; readonly offset: string | null }

const DAY_SECONDS = 86_400
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayTexts = new Map<number, string>()

/** The day, or null if there is no such date. */
export function dayOf(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / (DAY_SECONDS * 1000) : null
}

export function formatDay(day: number): string {
  const known = dayTexts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)
  if (dayTexts.size > 1000) dayTexts.clear()
  dayTexts.set(day, text)
  return text
}

/** `2022-06-09T10:25:43`, with the offset where the line had one; `T10:25:43` where the day is not known. */
export function formatLocalTime({ day, seconds, offset }: LocalTime): string {
  const two = (value: number) => (value < 10 ? `0${value}` : `${value}`)
  const hour = Math.floor(seconds / 3600)
  const clock = `T${two(hour)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${day === null ? '' : formatDay(day)}${clock}${offset ?? ''}`
}

/** Seconds on one line of time, for differences. */
export function absoluteSeconds({ day, seconds }: LocalTime): number {
  return (day ?? 0) * DAY_SECONDS + seconds
}

/** `9:30` or `09:30:15` is a time of day. */
export function isClock(text: string): boolean {
  const [hours = 24, minutes = 60, seconds = 0] = text.split(':').map(Number)
  return hours < 24 && minutes < 60 && seconds < 60
}

/** `m/d/yyyy`, or `d/m/yyyy` for servers that write the day first. */
export function parseSlashDate(text: string, isDayFirst: boolean): number | null {
  const [first, second, year] = text.split('/').map(Number)
  if (!first || !second || !year) return null
  return isDayFirst ? dayOf(year, second, first) : dayOf(year, first, second)
}

/** 1 to 12 for `Jan` to `Dec` in any case, or null. */
export function monthNamed(name: string): number | null {
  const index = MONTHS.indexOf(name.toLowerCase())
  return index < 0 ? null : index + 1
}

/** When a license ends: `30-dec-2025`, or one of the ways to write never. Null if the text says neither. */
export function parseExpiry(text: string): string | null {
  if (/^permanent/i.test(text)) return 'permanent'
  const [, day, monthName, year] = /^(\d{1,2})-([a-z]{3})-(\d{1,4})$/i.exec(text.trim()) ?? []
  const month = monthName === undefined ? null : monthNamed(monthName)
  if (month === null) return null
  if (Number(year) === 0) return 'permanent'
  const found = dayOf(Number(year), month, Number(day))
  return found === null ? null : formatDay(found)
}
