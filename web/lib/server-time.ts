/** Clocks that differ by less show the same time: the header has whole seconds, and slow answers are older. */
const TOLERANCE = 60_000

/** How far the clock of the server is ahead of this machine's, in milliseconds. */
let ahead = 0

/** Called with the `Date` header of every answer. */
export function noteServerTime(header: string | null): void {
  const difference = Date.parse(header ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < TOLERANCE ? 0 : difference
}

/** The time by the clock of the server, which decides what has expired. This machine's clock may be wrong. */
export function serverTime(): Date {
  return new Date(Date.now() + ahead)
}
