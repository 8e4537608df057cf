/** Lines of one second are in the order of their log: `outId`, `inId` and `id` say their places. */
type Line = { readonly count: number; readonly log: number }
/**
 * A checkout on the clock of the license server, in seconds. `to` is infinite while the seat is out; `inId` is null if its log does not
 * say when it came back.
 */
export type MeasuredCheckout = Line & {
  readonly from: number
  readonly to: number
  readonly outId: number
  readonly inId: number | null
}
/** A request that the license server refused. */
export type MeasuredDenial = Line & { readonly at: number; readonly id: number }

export type MeasuredEvents<C extends MeasuredCheckout = MeasuredCheckout, D extends MeasuredDenial = MeasuredDenial> = {
  readonly checkouts: readonly C[]
  readonly denials: readonly D[]
}

export const CHECKOUT = 0
export const RETURN = 1
const DENIAL = 2
type Moment = {
  readonly at: number
  readonly log: number
  readonly id: number
  readonly kind: typeof CHECKOUT | typeof RETURN | typeof DENIAL
  /** Of the checkout or the denial. */
  readonly index: number
  readonly count: number
}

/** Checkouts, returns and denials in the order in which they happened, to be played again. */
export function orderMoments({ checkouts, denials }: MeasuredEvents): Moment[] {
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
  return moments.sort(
    (one, other) => one.at - other.at || one.log - other.log || one.id - other.id || one.kind - other.kind,
  )
}
