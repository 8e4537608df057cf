/** Idle timeout of a sign-in session, in minutes since the last call that a person caused. */
export const IDLE_LIMIT_MINUTES = 30
/** The server saves activity at most this often, in minutes, so a sign-in session may end that much earlier. */
export const ACTIVITY_NOTED_MINUTES = 1

const MINUTE = 60_000
/** In milliseconds. The clocks of the provider and of the portal's machines differ a little. */
const CLOCK_TOLERANCE = MINUTE / 2

/** Whether the provider asked the person within the last minutes. A time in the future proves nothing. */
export function isSignInFresh(authenticatedAt: Date | null, now: Date, minutes: number): boolean {
  if (authenticatedAt === null) return false
  const age = now.getTime() - authenticatedAt.getTime()
  return age >= -CLOCK_TOLERANCE && age <= minutes * MINUTE
}
