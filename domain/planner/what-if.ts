/** Lines of one second are in the order of their log: `outId`, `inId` and `id` say their places. */
type Line = { readonly count: number; readonly log: number }
/**
 * A checkout on the clock of the license server, in seconds. `to` is infinite while the seat is out; `inId` is null if its log does not
 * say when it came back.
 */
type Checkout = Line & {
  readonly from: number
  readonly to: number
  readonly outId: number
  readonly inId: number | null
}
/** A request that the license server refused for lack of seats. */
type Denial = Line & { readonly at: number; readonly id: number }

export type MeasuredEvents = { readonly checkouts: readonly Checkout[]; readonly denials: readonly Denial[] }

const CHECKOUT = 0
const RETURN = 1
const DENIAL = 2
type Moment = {
  readonly at: number
  readonly log: number
  readonly id: number
  readonly kind: number
  readonly index: number
  readonly count: number
}

/**
 * Answers how many of the measured requests would have been denied with another number of seats. The events are played
 * again: a checkout that finds too few free seats is a denial and holds nothing. A request that was denied in fact is one
 * again if it still finds too few; otherwise it is granted, but holds nothing, because nobody knows for how long.
 */
export function replay({ checkouts, denials }: MeasuredEvents): (seats: number) => number {
  const moments: Moment[] = []
  for (const [index, { from, to, count, log, outId, inId }] of checkouts.entries()) {
    moments.push({ at: from, log, id: outId, kind: CHECKOUT, index, count })
    if (to === Number.POSITIVE_INFINITY) continue
    // A return of an unknown place comes first in its second, but not before its own checkout.
    const place = inId !== null ? { log, id: inId } : to > from ? { log: -1, id: 0 } : { log, id: outId }
    moments.push({ at: to, ...place, kind: RETURN, index, count })
  }
  for (const [index, { at, count, log, id }] of denials.entries())
    moments.push({ at, log, id, kind: DENIAL, index, count })
  moments.sort((one, other) => one.at - other.at || one.log - other.log || one.id - other.id || one.kind - other.kind)
  return (seats) => {
    const isHeld = new Uint8Array(checkouts.length)
    let inUse = 0
    let denied = 0
    for (const { kind, index, count } of moments) {
      if (kind === RETURN) {
        if (isHeld[index]) inUse -= count
      } else if (inUse + count > seats) denied++
      else if (kind === CHECKOUT) {
        isHeld[index] = 1
        inUse += count
      }
    }
    return denied
  }
}
