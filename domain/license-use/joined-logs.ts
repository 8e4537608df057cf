/** A checkout whose own log does not say that it came back. Times are texts that compare as times. */
export type OpenCheckout = JoinKey & { readonly outAt: string; readonly seats: number }
/** A return whose own log does not have the checkout. */
export type UnmatchedReturn = JoinKey & { readonly inAt: string; readonly seats: number }
/** A start or end of a license manager or of one of its daemons, which ends what was open before. */
export type Ending = { readonly at: string; readonly event: string; readonly daemon: string; readonly log: number }
type JoinKey = { readonly key: string; readonly daemon: string; readonly log: number }

export type JoinedCheckout<O, R> = {
  readonly open: O
  /** The return in another log. */
  readonly returned: R | null
  /** How it ended without a return. */
  readonly ending: Ending | null
}

/**
 * Joins the logs of one license server, such as rotated files: a return that has no checkout in its own log ends the
 * oldest one of an earlier log, with the same count first. The result does not depend on the order of arrival.
 */
export function joinLogs<O extends OpenCheckout, R extends UnmatchedReturn>(
  open: readonly O[],
  returns: readonly R[],
  endings: readonly Ending[],
): JoinedCheckout<O, R>[] {
  const sortedEndings = [...endings].sort((one, other) => compare(one.at, other.at))
  const waiting = new Map<string, O[]>()
  for (const checkout of [...open].sort((one, other) => compare(one.outAt, other.outAt)))
    waiting.set(checkout.key, [...(waiting.get(checkout.key) ?? []), checkout])
  const joined = new Map<O, R>()
  for (const returned of [...returns].sort((one, other) => compare(one.inAt, other.inAt))) {
    const candidates = (waiting.get(returned.key) ?? []).filter(
      (checkout) =>
        checkout.log !== returned.log &&
        checkout.outAt <= returned.inAt &&
        !sortedEndings.some((ending) => endsCheckout(ending, checkout) && ending.at < returned.inAt),
    )
    const chosen = candidates.find(({ seats }) => seats === returned.seats) ?? candidates[0]
    if (!chosen) continue
    joined.set(chosen, returned)
    waiting.set(
      chosen.key,
      (waiting.get(chosen.key) ?? []).filter((checkout) => checkout !== chosen),
    )
  }
  return open.map((checkout) => {
    const returned = joined.get(checkout) ?? null
    const ending = returned ? null : (sortedEndings.find((one) => endsCheckout(one, checkout)) ?? null)
    return { open: checkout, returned, ending }
  })
}

/** Within its own log the reader has applied endings already. */
function endsCheckout(ending: Ending, checkout: OpenCheckout): boolean {
  return (
    ending.log !== checkout.log &&
    ending.at > checkout.outAt &&
    (ending.daemon === '' || ending.daemon === checkout.daemon)
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
