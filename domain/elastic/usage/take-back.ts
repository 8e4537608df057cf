import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/** A part of a charge that was booked, on one entitlement. */
export type BookedPart = {
  readonly transactionNumber: string
  readonly activationId: string
  /** What was charged, less what was taken back since. */
  readonly left: string
}
export type TakenBack = { readonly transactionNumber: string; readonly charge: string }
export type TakeBackRefusal = 'ACTIVATION_MISMATCH' | 'OVER_CORRECTED'

/**
 * Distributes a correction over the parts of its original, which are in the order in which they were drawn: what was drawn
 * last is given back first, or only what was drawn on the named entitlement. Never more than was charged.
 */
export function takeBack(
  amount: string,
  parts: readonly BookedPart[],
  activationId?: string,
): readonly TakenBack[] | TakeBackRefusal {
  const named = parts.filter((part) => activationId === undefined || part.activationId === activationId)
  if (named.length === 0) return 'ACTIVATION_MISMATCH'
  let rest = toHundredths(amount)
  const taken: TakenBack[] = []
  for (const { transactionNumber, left } of named.toReversed()) {
    let part = toHundredths(left)
    if (part > rest) part = rest
    if (part <= 0n) continue
    taken.push({ transactionNumber, charge: formatHundredths(-part) })
    rest -= part
  }
  return rest > 0n ? 'OVER_CORRECTED' : taken
}
