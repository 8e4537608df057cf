const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds in the two largest units: "4.2 s", "12 min 5 s", "3 h 12 min", "2 days 4 h". */
export function formatDuration(milliseconds: number): string {
  const rest = (unit: number, smaller: number) => Math.floor((milliseconds % unit) / smaller)
  if (milliseconds < MINUTE) return `${(Math.floor(Math.max(milliseconds, 0) / 100) / 10).toFixed(1)} s`
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ${rest(MINUTE, SECOND)} s`
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h ${rest(HOUR, MINUTE)} min`
  return `${Math.floor(milliseconds / DAY)} days ${rest(DAY, HOUR)} h`
}
