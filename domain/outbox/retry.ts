const SECOND = 1000
const HOUR = 3600 * SECOND
const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = HOUR
/** As long as mail servers themselves keep trying (RFC 5321 asks for four to five days). */
const PATIENCE = 4 * 24 * HOUR

/** When a message is tried again after its so-many-th failed attempt; null means that it has failed for good. */
export function nextAttempt(failedAttempts: number, triedSince: Date, now: Date): Date | null {
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.max(0, failedAttempts - 1), LONGEST_PAUSE)
  const next = now.getTime() + pause
  return next - triedSince.getTime() > PATIENCE ? null : new Date(next)
}
