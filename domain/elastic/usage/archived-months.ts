import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/** `2025-03`, in UTC: transactions are kept by the month of their end. */
export type Month = string

/** The running month and so many before it are never archived: reports of a year look at single transactions. */
const KEPT_MONTHS = 12

export const isMonth = (text: string): text is Month => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

/** Months before this one can be archived, this one and later ones cannot. */
export const latestCut = (now: Date): Month =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - KEPT_MONTHS, 1)).toISOString().slice(0, 7)

/** Whether only a file has the transactions that ended then; null where no month is archived. */
export const isArchived = (endedAt: Date, archivedBefore: CalendarDay | null): boolean =>
  archivedBefore !== null && endedAt.toISOString().slice(0, 10) < archivedBefore

/** The refusal of usage that falls in an archived month; undefined if it can be booked. */
export const archivedRefusal = (endedAt: Date, archivedBefore: CalendarDay | null): string | undefined =>
  isArchived(endedAt, archivedBefore)
    ? `endTime is before ${archivedBefore}: usage of that time is archived, and nothing is booked there any more.`
    : undefined

/** The notice above a list of transactions that begins after archived months. */
export const archivedNotice = (archivedBefore: CalendarDay): string =>
  `Transactions that ended before ${archivedBefore} (UTC) are archived: they are neither listed nor exported. Statements and charts include them.`
