/** A time of every day, or of one weekday, in UTC: "02:15" or "Sun 04:15". */
export type Schedule = { readonly weekday: number | null; readonly hour: number; readonly minute: number }

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Undefined for a text that is no schedule. */
export function parseSchedule(text: string): Schedule | undefined {
  const [, day, hour, minute] = /^(?:(Sun|Mon|Tue|Wed|Thu|Fri|Sat) )?([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour === undefined) return undefined
  return { weekday: day === undefined ? null : WEEKDAYS.indexOf(day), hour: Number(hour), minute: Number(minute) }
}

export function formatSchedule({ weekday, hour, minute }: Schedule): string {
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
  return weekday === null ? time : `${WEEKDAYS[weekday]} ${time}`
}

export const toCron = ({ weekday, hour, minute }: Schedule): string => `${minute} ${hour} * * ${weekday ?? '*'}`

/** The first time of the schedule after an instant. */
export function nextTime({ weekday, hour, minute }: Schedule, after: Date): Date {
  const today = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), hour, minute)
  const next = new Date(today > after.getTime() ? today : today + DAY)
  const days = weekday === null ? 0 : (weekday - next.getUTCDay() + 7) % 7
  return new Date(next.getTime() + days * DAY)
}

/** The last time of the schedule that is not after an instant. */
export function lastTime(schedule: Schedule, notAfter: Date): Date {
  const period = schedule.weekday === null ? DAY : 7 * DAY
  return new Date(nextTime(schedule, notAfter).getTime() - period)
}

/** A run that was due this long ago and has not succeeded is late. */
const GRACE = 2 * HOUR
/** Without a schedule of the portal, somebody else runs these commands: at least this often. */
const MAX_PAUSE = { backup: 2 * DAY, drill: 31 * DAY } as const

export type RunKind = keyof typeof MAX_PAUSE

/** Whether the last success is older than it should be by now. */
export function isLate(
  kind: RunKind,
  schedule: Schedule | undefined,
  { lastSuccess, now }: { readonly lastSuccess: Date | undefined; readonly now: Date },
): boolean {
  if (!schedule) return lastSuccess === undefined || now.getTime() - lastSuccess.getTime() > MAX_PAUSE[kind]
  const due = lastTime(schedule, new Date(now.getTime() - GRACE))
  return lastSuccess === undefined || lastSuccess < due
}
