import type { Reservation } from '#domain/options-files/reservations.ts'

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label, index) => ({
  value: String(index + 1),
  label,
}))

/** "2026-11-16 to 2026-11-29, Mon, Wed" */
export function daysText({ from, to, weekdays }: Reservation): string {
  const range = from === to ? from : `${from} to ${to}`
  if (weekdays.length === WEEKDAYS.length) return range
  return `${range}, ${WEEKDAYS.filter(({ value }) => weekdays.includes(Number(value)))
    .map(({ label }) => label)
    .join(', ')}`
}
