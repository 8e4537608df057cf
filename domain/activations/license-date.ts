import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as license files write it: 31-dec-2026. */
export function licenseDate(day: CalendarDay): string {
  const [year, month, date] = day.split('-')
  return `${date}-${MONTHS[Number(month) - 1]}-${year}`
}

/** A day as the version of a license: 2026.1231. */
export function licenseVersion(day: CalendarDay): string {
  const [year, month, date] = day.split('-')
  return `${year}.${month}${date}`
}

/** Leases cover every version. */
export const ANY_VERSION = '9999.9999'
export const PERMANENT_EXPIRATION = 'permanent'
