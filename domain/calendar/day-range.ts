import {
  addDays,
  type CalendarDay,
  dayIn,
  isCalendarDay,
  isOnCalendar,
  startOfDay,
} from '#domain/calendar/calendar-day.ts'

/** Calendar days of an account, both included. */
export type DayRange = { readonly from: CalendarDay; readonly to: CalendarDay }

/** From 00:00:00.000 of the first day to 23:59:59.999 of the last, in the zone whose days they are. */
export function instantsOf(range: DayRange, timeZone: string): { from: Date; to: Date } {
  return {
    from: startOfDay(timeZone, range.from),
    to: new Date(startOfDay(timeZone, addDays(range.to, 1)).getTime() - 1),
  }
}

/** The calendar day that a saved text means: a day, or the day on which an instant falls; nothing if it is neither. */
export function readDayOf(text: string, timeZone: string): CalendarDay | undefined {
  if (isCalendarDay(text)) return text
  const instant = new Date(text)
  if (!text.includes('T') || !isOnCalendar(instant.getTime())) return undefined
  const day = dayIn(timeZone, instant)
  return isCalendarDay(day) ? day : undefined
}
