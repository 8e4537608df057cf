import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

export function midnightOf(day: CalendarDay): Date {
  return new Date(`${day}T00:00:00Z`)
}
