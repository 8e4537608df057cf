/** How long the attempts of a guesser go one by one after one that did not start a session, in milliseconds. */
const CAREFUL_FOR = 60_000
const MAX_GUESSERS = 10_000

/** By server and guesser: until when the next attempt must wait for its turn. Infinity while an attempt is under way. */
const carefulUntil = new Map<string, number>()

/**
 * Begins an attempt to start a session without the lock on guesses, or answers undefined if it must take the lock: another
 * one of the same guesser is under way, or one has failed recently. So at most one guess a minute is tried without the
 * lock, however many are sent at once. Tell the answered function how the attempt ended.
 */
export function beginUnlockedAttempt(
  serverId: string,
  guesser: string,
  now: Date,
): ((hasStarted: boolean) => void) | undefined {
  const key = `${serverId} ${guesser}`
  const time = now.getTime()
  if ((carefulUntil.get(key) ?? 0) > time) return undefined
  if (carefulUntil.size >= MAX_GUESSERS) forgetPast(time)
  if (carefulUntil.size >= MAX_GUESSERS) return undefined
  carefulUntil.set(key, Number.POSITIVE_INFINITY)
  return (hasStarted) => {
    if (hasStarted) carefulUntil.delete(key)
    else carefulUntil.set(key, time + CAREFUL_FOR)
  }
}

function forgetPast(time: number): void {
  for (const [key, until] of carefulUntil) if (until <= time) carefulUntil.delete(key)
}
