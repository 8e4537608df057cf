import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { startOfWeek } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { mailedPeriod, type StatementKind } from '#domain/elastic/statements/mailed-statement.ts'

/** The scheduled statements of an account and their recipients. */
export type StatementSchedule = {
  readonly weekly: boolean
  readonly monthly: boolean
  /** Email addresses of contacts of the account. */
  readonly recipients: readonly string[]
}
export const NO_SCHEDULE: StatementSchedule = { weekly: false, monthly: false, recipients: [] }

export const NO_RECIPIENT = 'Choose at least one recipient.'

/** Undefined if the schedule can be saved. */
export function recipientsError({ weekly, monthly, recipients }: StatementSchedule): string | undefined {
  return (weekly || monthly) && recipients.length === 0 ? NO_RECIPIENT : undefined
}

export function isSameSchedule(one: StatementSchedule, other: StatementSchedule): boolean {
  return scheduleKey(one) === scheduleKey(other)
}
const scheduleKey = ({ weekly, monthly, recipients }: StatementSchedule) =>
  JSON.stringify([weekly, monthly, recipients.toSorted()])

/** The week from Monday to Sunday, or the month, that ended last before a day. */
export function lastPeriod(kind: StatementKind, day: CalendarDay): DayRange {
  return mailedPeriod(kind, kind === 'weekly' ? startOfWeek(day) : day)
}

/** Usage may arrive half an hour after its session ended: at 6 in the morning yesterday is complete. */
const SEND_HOUR = 6

/**
 * The period whose statement has to be mailed now; undefined if there is none. `through` is the last day that was handled:
 * after an outage only the latest period is mailed.
 */
export function duePeriod(
  kind: StatementKind,
  through: CalendarDay | null,
  { timeZone, now }: { timeZone: string; now: Date },
): DayRange | undefined {
  if (through === null) return undefined
  const period = lastPeriod(kind, dayIn(timeZone, new Date(now.getTime() - SEND_HOUR * 3_600_000)))
  return period.to > through ? period : undefined
}
