import { CHECKOUT, type MeasuredEvents, orderMoments, RETURN } from '#domain/license-use/use/measured-moments.ts'

/**
 * Answers how many of the measured requests would have been denied with another number of seats. The events are played
 * again: a checkout that finds too few free seats is a denial and holds nothing. A request that was denied in fact is one
 * again if it still finds too few; otherwise it is granted, but holds nothing, because nobody knows for how long.
 */
export function replay(events: MeasuredEvents): (seats: number) => number {
  const moments = orderMoments(events)
  return (seats) => {
    const isHeld = new Uint8Array(events.checkouts.length)
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
