/** A checkout on the clock of the license server, in seconds. `to` is infinite while the seat is out. */
type Checkout = { readonly from: number; readonly to: number; readonly count: number }
/** A request that the license server refused for lack of seats. */
type Denial = { readonly at: number; readonly count: number }

export type MeasuredEvents = { readonly checkouts: readonly Checkout[]; readonly denials: readonly Denial[] }

/** At one time, returns come first, then checkouts, then denials: a seat can go out again in the second of its return. */
const RETURN = 0
const CHECKOUT = 1
const DENIAL = 2
type Moment = { readonly at: number; readonly kind: number; readonly index: number; readonly count: number }

/**
 * Answers how many of the measured requests would have been denied with another number of seats. The events are played
 * again: a checkout that finds too few free seats is a denial and holds nothing. A request that was denied in fact is one
 * again if it still finds too few; otherwise it is granted, but holds nothing, because nobody knows for how long.
 */
export function replay({ checkouts, denials }: MeasuredEvents): (seats: number) => number {
  const moments: Moment[] = []
  for (const [index, { from, to, count }] of checkouts.entries()) {
    moments.push({ at: from, kind: CHECKOUT, index, count })
    // A seat that comes back in its own second blocks nobody else.
    if (to > from && to !== Number.POSITIVE_INFINITY) moments.push({ at: to, kind: RETURN, index, count })
  }
  for (const [index, { at, count }] of denials.entries()) moments.push({ at, kind: DENIAL, index, count })
  moments.sort((one, other) => one.at - other.at || one.kind - other.kind || one.index - other.index)
  return (seats) => {
    const isHeld = new Uint8Array(checkouts.length)
    let inUse = 0
    let denied = 0
    for (const { kind, index, count } of moments) {
      if (kind === RETURN) {
        if (isHeld[index]) inUse -= count
      } else if (inUse + count > seats) denied++
      else if (kind === CHECKOUT && checkouts[index]!.to > checkouts[index]!.from) {
        isHeld[index] = 1
        inUse += count
      }
    }
    return denied
  }
}
