/** A checkout on the clock of the license server, in seconds. `to` is infinite while the seat is out. */
export type SeatInterval = { readonly from: number; readonly to: number; readonly count: number }

/** From `at` on, so many seats are in use. */
export type UseStep = { readonly at: number; readonly inUse: number }

/** The course of seats in use. At one time, returns count before checkouts: a seat can go out again in the same second. */
export function toUseSteps(intervals: Iterable<SeatInterval>): UseStep[] {
  const changes: { at: number; by: number }[] = []
  for (const { from, to, count } of intervals) {
    if (to <= from) continue
    changes.push({ at: from, by: count })
    if (to !== Number.POSITIVE_INFINITY) changes.push({ at: to, by: -count })
  }
  changes.sort((one, other) => one.at - other.at || one.by - other.by)
  const steps: UseStep[] = []
  let inUse = 0
  for (const { at, by } of changes) {
    inUse += by
    if (steps.at(-1)?.at === at) steps.pop()
    if (steps.at(-1)?.inUse !== inUse) steps.push({ at, inUse })
  }
  return steps
}
