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

export function peakOf(steps: readonly UseStep[]): number {
  return steps.reduce((peak, { inUse }) => Math.max(peak, inUse), 0)
}

/** The number of seats that were enough for the given share (0 to 1) of the time in which at least one was in use. */
export function percentileInUse(steps: readonly UseStep[], until: number, share: number): number {
  const secondsAt = new Map<number, number>()
  let all = 0
  steps.forEach(({ at, inUse }, index) => {
    const seconds = Math.min(steps[index + 1]?.at ?? until, until) - at
    if (inUse <= 0 || seconds <= 0) return
    secondsAt.set(inUse, (secondsAt.get(inUse) ?? 0) + seconds)
    all += seconds
  })
  let covered = 0
  for (const [inUse, seconds] of [...secondsAt].sort(([one], [other]) => one - other)) {
    covered += seconds
    if (covered >= all * share) return inUse
  }
  return 0
}
