/** On the clocks of the license servers, in seconds. */
type Checkout = { readonly hostId: string; readonly from: number; readonly to: number; readonly count: number }
type Denial = { readonly hostId: string; readonly at: number; readonly count: number }
/** From `at` on, a license server has so many seats; null: not known. */
type SeatLimit = { readonly hostId: string; readonly at: number; readonly seats: number | null }

export type EventsOfServers = {
  readonly checkouts: readonly Checkout[]
  readonly denials: readonly Denial[]
  readonly limits: readonly SeatLimit[]
}

/** At one time, limits and returns come first, then checkouts, then denials. */
const LIMIT = 0
const RETURN = 1
const CHECKOUT = 2
const DENIAL = 3

/** How many denials happened while one other license server had enough free seats. */
export function countFreeElsewhere({ checkouts, denials, limits }: EventsOfServers): number {
  if (denials.length === 0) return 0
  const moments = [
    ...limits.map(({ hostId, at, seats }) => ({ at, kind: LIMIT, hostId, count: seats ?? Number.NEGATIVE_INFINITY })),
    ...denials.map((one) => ({ ...one, kind: DENIAL })),
  ]
  for (const { hostId, from, to, count } of checkouts)
    if (to > from)
      moments.push({ at: from, kind: CHECKOUT, hostId, count }, { at: to, kind: RETURN, hostId, count: -count })
  moments.sort((one, other) => one.at - other.at || one.kind - other.kind)
  const seatsOf = new Map<string, number>()
  const inUse = new Map<string, number>()
  let found = 0
  for (const { kind, hostId, count } of moments) {
    if (kind === LIMIT) seatsOf.set(hostId, count)
    else if (kind !== DENIAL) inUse.set(hostId, (inUse.get(hostId) ?? 0) + count)
    else if ([...seatsOf].some(([other, seats]) => other !== hostId && seats - (inUse.get(other) ?? 0) >= count))
      found++
  }
  return found
}
