import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'

const text = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const partsOf = (day: CalendarDay) => day.split('-').map(Number) as [year: number, month: number, day: number]

/** Weeks start on Monday. */
export function startOfWeek(day: CalendarDay): CalendarDay {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

export function startOfMonth(day: CalendarDay): CalendarDay {
  const [year, month] = partsOf(day)
  return text(year, month, 1)
}

export function startOfQuarter(day: CalendarDay): CalendarDay {
  const [year, month] = partsOf(day)
  return text(year, month - ((month - 1) % 3), 1)
}

export function startOfYear(day: CalendarDay): CalendarDay {
  return `${day.slice(0, 4)}-01-01`
}

/** The day in another month, or the last day of that month if it is shorter: 31 March less a month is 28 February. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  const [year, month, dayOfMonth] = partsOf(day)
  return text(year, month + months, Math.min(dayOfMonth, daysInMonth(year, month + months)))
}

/** Months outside 1–12 carry over into the years before and after. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
