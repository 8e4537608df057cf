import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'

/** When an entitlement holds. Days are calendar days of the account. */
export type Term = {
  readonly startDate: CalendarDay
  readonly endDate: CalendarDay | null
  /** Until when maintenance runs: versions released later may not be used. */
  readonly versionDate: CalendarDay
  readonly isPermanent: boolean
  /** Never in the future, even if the term is. */
  readonly boughtOn: CalendarDay
}

/** From and to are days counted from today; the end day still counts, so `to: 0` leaves one day. */
export function lease(today: CalendarDay, from: number, to: number): Term {
  const startDate = addDays(today, from)
  const endDate = addDays(today, to)
  return { startDate, endDate, versionDate: endDate, isPermanent: false, boughtOn: boughtOn(today, from) }
}

export function permanent(today: CalendarDay, from: number, maintenanceUntil: number): Term {
  return {
    startDate: addDays(today, from),
    endDate: null,
    versionDate: addDays(today, maintenanceUntil),
    isPermanent: true,
    boughtOn: boughtOn(today, from),
  }
}

function boughtOn(today: CalendarDay, from: number): CalendarDay {
  return addDays(today, Math.min(from, 0) - 5)
}
