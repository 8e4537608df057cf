import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, NOT_STARTED, remainingDays, type Term } from '#domain/entitlements/term.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'

/** A web entitlement of the product that somebody was denied. */
export type GivenEntitlement = {
  readonly activationId: string
  readonly kind: WebLicenseKind
  readonly quantity: number
  readonly assigned: number
  readonly running: number
  readonly term: Term
  /** Whether the denied user is assigned to it. */
  readonly isOwn: boolean
}

/** `free`: the user can be assigned. `taken`: somebody else has to give a seat up. */
type Way<E> = { readonly entitlement: E; readonly seat: 'free' | 'taken' }

type Ways<E> =
  /** The next checkout of the user is accepted as it is. */
  { readonly isSettled: true } | { readonly isSettled: false; readonly ways: readonly Way<E>[] }

/**
 * How a denied user gets a seat: free seats first, then Shared Web, which binds no seat to a person, then the latest end.
 * Entitlements that cannot be checked out today are left out.
 */
export function waysToSeat<E extends GivenEntitlement>(entitlements: readonly E[], today: CalendarDay): Ways<E> {
  const valid = entitlements.filter(({ term }) => {
    const remaining = remainingDays(term, today)
    return remaining !== EXPIRED && remaining !== NOT_STARTED
  })
  if (valid.some((one) => one.isOwn && (one.kind === 'SUBSCRIPTION' || hasFreeSeat(one)))) return { isSettled: true }
  const ways = valid.map((entitlement): Way<E> => ({ entitlement, seat: hasFreeSeat(entitlement) ? 'free' : 'taken' }))
  return { isSettled: false, ways: ways.sort(inOrderOfChoice) }
}

const hasFreeSeat = ({ kind, quantity, assigned, running }: GivenEntitlement): boolean =>
  (kind === 'SUBSCRIPTION' ? assigned : running) < quantity

function inOrderOfChoice(one: Way<GivenEntitlement>, other: Way<GivenEntitlement>): number {
  if (one.seat !== other.seat) return one.seat === 'free' ? -1 : 1
  const [a, b] = [one.entitlement, other.entitlement]
  if (a.kind !== b.kind) return a.kind === 'CONCURRENT' ? -1 : 1
  const [end, otherEnd] = [a.term.endDate ?? FOREVER, b.term.endDate ?? FOREVER]
  if (end !== otherEnd) return end > otherEnd ? -1 : 1
  return a.activationId < b.activationId ? -1 : 1
}

/** After every calendar day. */
const FOREVER = '~'

/**
 * The license that each denied person can be assigned: the first choice of those with a free seat, undefined without one. A
 * Named User seat is given once.
 */
export function freeSeatsFor<
  W extends { readonly product: string },
  E extends GivenEntitlement & { readonly product: string },
>(wanted: readonly W[], entitlements: readonly E[], today: CalendarDay): (W & { readonly license: E | undefined })[] {
  const given = new Map<string, number>()
  return wanted.map((one) => {
    const offered = entitlements
      .filter(({ product }) => product === one.product)
      .map((entitlement) => ({
        ...entitlement,
        assigned: entitlement.assigned + (given.get(entitlement.activationId) ?? 0),
        isOwn: false,
      }))
    const found = waysToSeat(offered, today)
    const id = found.isSettled ? undefined : found.ways.find(({ seat }) => seat === 'free')?.entitlement.activationId
    if (id !== undefined) given.set(id, (given.get(id) ?? 0) + 1)
    return { ...one, license: entitlements.find(({ activationId }) => activationId === id) }
  })
}

/** Somebody who is assigned to an entitlement. */
export type SeatHolder = {
  readonly email: string
  /** Assigned by name. Who is assigned through a group is unassigned with the group. */
  readonly isDirect: boolean
  readonly running: number
  readonly since: string
}

/**
 * Who can give a seat up, those who miss it least first. A Named User seat is best taken from somebody who does not use it
 * now. A Shared Web seat is free only when a running checkout ends.
 */
export function seatGivers<H extends SeatHolder>(kind: WebLicenseKind, holders: readonly H[], user: string): H[] {
  return holders
    .filter(({ email, isDirect, running }) => isDirect && email !== user && (kind === 'SUBSCRIPTION' || running > 0))
    .sort(
      (one, other) =>
        one.running - other.running || compareText(one.since, other.since) || compareText(one.email, other.email),
    )
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
