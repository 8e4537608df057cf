/** What a license administrator can do about a product. */
export type Advice =
  /** `seats` could be released: all of them if nobody used any. */
  | { readonly kind: 'RELEASE'; readonly seats: number; readonly isUnused: boolean }
  /** `seats` are missing. */
  | { readonly kind: 'MORE_SEATS'; readonly seats: number }
  | { readonly kind: 'MORE_UNITS' }
  /** Somebody was denied for another reason while this many seats, assigned or not, were unused. */
  | { readonly kind: 'DENIED_THOUGH_UNUSED'; readonly seats: number }
  /** Somebody was denied, but not for lack of seats or units. */
  | { readonly kind: 'DENIED' }
  | { readonly kind: 'ENDED' }
  | { readonly kind: 'NOT_OWNED' }
  | { readonly kind: 'IN_BALANCE' }

export const ADVICE_KINDS = [
  'RELEASE',
  'MORE_SEATS',
  'MORE_UNITS',
  'DENIED_THOUGH_UNUSED',
  'DENIED',
  'ENDED',
  'NOT_OWNED',
  'IN_BALANCE',
] as const satisfies readonly Advice['kind'][]

export type DenialReason = { readonly reason: string; readonly count: number }

export type SeatFacts = {
  /** The most seats on a day of the range, and those on its last day. */
  readonly seats: number
  readonly seatsAtEnd: number
  /** Shared seats in use at the same time, and one for every named user who used one. */
  readonly needed: number
  readonly reasons: readonly DenialReason[]
  /** How many users were denied for a reason. */
  deniedUsers(reason: string): number
}

/** Only seats that are still there at the end of the range can be released, and only if nobody was denied. */
export function adviseOnSeats({ seats, seatsAtEnd, needed, reasons, deniedUsers }: SeatFacts): Advice {
  const unused = Math.max(0, seatsAtEnd - needed)
  // One seat for every user who was denied, less those that are there by now.
  const more = (reason: string): Advice => ({ kind: 'MORE_SEATS', seats: Math.max(1, deniedUsers(reason) - unused) })
  if (seats === 0) return { kind: 'NOT_OWNED' }
  if (seatsAtEnd === 0) return { kind: 'ENDED' }
  if (isDenied(reasons, 'NO_SEAT')) return more('NO_SEAT')
  // Without an unused seat, nobody else can be assigned.
  if (isDenied(reasons, 'USER_NOT_ASSIGNED') && unused === 0) return more('USER_NOT_ASSIGNED')
  if (reasons.length > 0) return unused > 0 ? { kind: 'DENIED_THOUGH_UNUSED', seats: unused } : { kind: 'DENIED' }
  return unused > 0 ? { kind: 'RELEASE', seats: unused, isUnused: needed === 0 } : { kind: 'IN_BALANCE' }
}

/** Elastic units are shared by all products and are used up, so nothing can be released. */
export function adviseOnUnits(reasons: readonly DenialReason[]): Advice {
  if (isDenied(reasons, 'NO_BALANCE')) return { kind: 'MORE_UNITS' }
  return reasons.length > 0 ? { kind: 'DENIED' } : { kind: 'IN_BALANCE' }
}

const isDenied = (reasons: readonly DenialReason[], code: string) => reasons.some(({ reason }) => reason === code)

export function adviceText(advice: Advice): string {
  switch (advice.kind) {
    case 'RELEASE':
      return `${advice.isUnused ? 'Not used: ' : ''}${seatsText(advice.seats)} could be released`
    case 'MORE_SEATS':
      return advice.seats === 1 ? '1 more seat is needed' : `${advice.seats} more seats are needed`
    case 'MORE_UNITS':
      return 'More units are needed'
    case 'DENIED_THOUGH_UNUSED':
      return `Denied with ${seatsText(advice.seats)} unused`
    case 'DENIED':
      return 'Denied for other reasons'
    case 'ENDED':
      return 'Ended in this range'
    case 'NOT_OWNED':
      return 'Not licensed in this period'
    case 'IN_BALANCE':
      return 'In balance'
  }
}

const seatsText = (count: number) => (count === 1 ? '1 seat' : `${count} seats`)
