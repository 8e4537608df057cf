import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'

/** Days after which a review is opened by itself; 0: by hand only. */
export const REVIEW_PERIODS = [0, 90, 180, 365] as const
export type ReviewPeriod = (typeof REVIEW_PERIODS)[number]

export const PERIOD_TEXTS: Readonly<Record<ReviewPeriod, string>> = {
  0: 'By hand only',
  90: 'Every 90 days',
  180: 'Every 180 days',
  365: 'Every 365 days',
}

/** Days to decide, from the opening to the due day. */
export const MIN_DUE_DAYS = 1
export const MAX_DUE_DAYS = 90

export type ReviewSettings = { readonly every: ReviewPeriod; readonly dueDays: number }
export const DEFAULT_SETTINGS: ReviewSettings = { every: 0, dueDays: 14 }

/**
 * The day on which the next review opens: the period after the last one was finished, or after the period was chosen if there was
 * none yet. Never before the day of that choice, so that no reviews are made up for.
 */
export function nextOpening({
  every,
  chosenOn,
  lastFinishedOn,
}: {
  readonly every: ReviewPeriod
  readonly chosenOn: CalendarDay
  readonly lastFinishedOn: CalendarDay | null
}): CalendarDay | null {
  if (every === 0) return null
  const next = addDays(lastFinishedOn ?? chosenOn, every)
  return next < chosenOn ? chosenOn : next
}

/** Days before the due day on which administrators get an email. */
const REMINDER_DAYS = [7, 1, 0] as const

/**
 * The reminder that is due today: the tightest one that no email has told yet. Undefined if there is none. `told` is the one that was
 * mailed last. A review that is shorter than a threshold is not reminded of at its opening, whose email names the due day.
 */
export function dueReminder(
  review: { readonly openedOn: CalendarDay; readonly dueOn: CalendarDay; readonly told: number | null },
  today: CalendarDay,
): number | undefined {
  const left = daysBetween(today, review.dueOn)
  const tightest = REMINDER_DAYS.findLast((days) => left <= days)
  if (tightest === undefined || today <= review.openedOn) return undefined
  return review.told === null || tightest < review.told ? tightest : undefined
}
