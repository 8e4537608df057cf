import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'

/** Every offset of a time zone is a multiple of this, in milliseconds. */
const QUARTER = 15 * 60_000
const MAX_DAYS = 10_000

const days = new Map<string, CalendarDay>()

/** As `dayIn`, for the many instants of metering: finding a day is slow, and most fall into a quarter of an hour seen before. */
export function dayOf(timeZone: string, instant: Date): CalendarDay {
  const quarter = Math.floor(instant.getTime() / QUARTER)
  const key = `${timeZone} ${quarter}`
  const known = days.get(key)
  if (known !== undefined) return known
  if (days.size > MAX_DAYS) days.clear()
  const day = dayIn(timeZone, new Date(quarter * QUARTER))
  days.set(key, day)
  return day
}
