/** A day of the calendar as `YYYY-MM-DD`, in no time zone. Text order is date order. */
export type CalendarDay = string

const MILLISECONDS_PER_DAY = 86_400_000

/** Years of four digits that leave room for the day before and after: PostgreSQL and ISO text agree on all of them. */
const FIRST_DAY = '0001-01-02'
const LAST_DAY = '9999-12-30'

export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false
  const midnight = midnightUtc(text)
  return !Number.isNaN(midnight) && isoDay(midnight) === text
}

/** Whether the day of an instant, in milliseconds since 1970, is a calendar day in UTC. False for NaN. */
export function isOnCalendar(instant: number): boolean {
  return instant >= midnightUtc(FIRST_DAY) && instant < midnightUtc(LAST_DAY) + MILLISECONDS_PER_DAY
}

/** Days are counted in UTC, where every day has 24 hours. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  return isoDay(midnightUtc(day) + days * MILLISECONDS_PER_DAY)
}

export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return (midnightUtc(to) - midnightUtc(from)) / MILLISECONDS_PER_DAY
}

/** The day that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant: Date): CalendarDay {
  return isoDay(instant.getTime() + clockAhead(timeZone, instant.getTime()))
}

/** The clock of a time zone at an instant: `2026-10-01 09:30:00`. */
export function timeIn(timeZone: string, instant: Date): string {
  const clock = new Date(instant.getTime() + clockAhead(timeZone, instant.getTime()))
  return clock.toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * The first instant of a day in a time zone. Where the clock skips midnight the day starts later; where midnight comes
 * twice it starts with the first; a day that the zone skipped as a whole is empty: it starts where the next one does.
 */
export function startOfDay(timeZone: string, day: CalendarDay): Date {
  const midnight = midnightUtc(day)
  const before = clockAhead(timeZone, midnight - MILLISECONDS_PER_DAY)
  const after = clockAhead(timeZone, midnight + MILLISECONDS_PER_DAY)
  if (before === after) return new Date(midnight - before)
  const candidates = [before, after]
    .map((ahead) => midnight - ahead)
    .filter((instant) => dayIn(timeZone, new Date(instant)) >= day)
  return new Date(Math.min(...candidates))
}

const midnightUtc = (day: CalendarDay) => Date.parse(`${day}T00:00:00.000Z`)
const isoDay = (instant: number) => new Date(instant).toISOString().slice(0, 10)

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
function clockAhead(timeZone: string, instant: number): number {
  const seconds = Math.floor(instant / 1000) * 1000
  const part = new Map(
    clockOf(timeZone)
      .formatToParts(seconds)
      .map(({ type, value }) => [type, value] as const),
  )
  const day = `${part.get('year')?.padStart(4, '0')}-${part.get('month')}-${part.get('day')}`
  return Date.parse(`${day}T${part.get('hour')}:${part.get('minute')}:${part.get('second')}Z`) - seconds
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Cached: creating a formatter takes a hundred times as long as using one. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

/**
 * Whether a name is the IANA name of a time zone, as Europe/Berlin. Offsets such as +02:00 are not names, because they
 * have no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined
  } catch {
    return false
  }
}
