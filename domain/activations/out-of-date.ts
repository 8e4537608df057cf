import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

export type FileState = {
  /** When the last license file of the host was generated; null if there is none. */
  readonly generatedAt: Date | null
  /** End days of the leases in that file. */
  readonly endDates: readonly CalendarDay[]
  /** The newest ledger row of the host, over all customers that share it. */
  readonly changedAt: Date | null
  /** Seats on the host that have not expired. */
  readonly seats: number
}

/** A new license file would differ from the last one: the ledger changed since, or something in the file has expired. */
export function isOutOfDate({ generatedAt, endDates, changedAt, seats }: FileState, today: CalendarDay): boolean {
  if (seats === 0) return false // There is nothing to make a file of.
  if (generatedAt === null || (changedAt !== null && changedAt > generatedAt)) return true
  return endDates.some((endDate) => endDate < today)
}
