import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, remainingDays, type Term } from '#domain/entitlements/term.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'

/** A web entitlement and the users that are assigned to it, directly or through groups. */
export type SeatEntitlement = {
  readonly kind: WebLicenseKind
  readonly product: string
  readonly quantity: number
  readonly term: Term
  readonly users: ReadonlySet<string>
}

/** Users who are to be assigned to entitlements, all of them or none. */
export type SeatClaim = {
  readonly activationIds: readonly string[]
  readonly users: readonly string[]
  /** The group that is assigned, for the text of a refusal. */
  readonly group?: string
  /** Entitlements of groups that the users join. They are assigned already and may have expired meanwhile. */
  readonly ofGroups?: readonly string[]
}

export type SeatRefusal = {
  readonly code: 'NO_SUCH_ACTIVATION' | 'ENTITLEMENT_EXPIRED' | 'SEAT_GONE'
  readonly err: string
}

export const NO_SUCH_ENTITLEMENT: SeatRefusal = {
  code: 'NO_SUCH_ACTIVATION',
  err: 'The account has no such web entitlement.',
}

/**
 * Decides claims one after the other: seats taken by one are not free for the next. Undefined means granted. Every user
 * of a Named User entitlement holds one seat. Shared Web entitlements can be assigned to any number of users, because
 * their quantity limits the checkouts that run at the same time.
 */
export function decideSeatClaims(
  entitlements: ReadonlyMap<string, SeatEntitlement>,
  claims: readonly SeatClaim[],
  today: CalendarDay,
): (SeatRefusal | undefined)[] {
  const users = new Map([...entitlements].map(([id, entitlement]) => [id, new Set(entitlement.users)]))
  return claims.map((claim) => {
    for (const id of claim.activationIds) {
      const entitlement = entitlements.get(id)
      if (entitlement && remainingDays(entitlement.term, today) === EXPIRED)
        return { code: 'ENTITLEMENT_EXPIRED', err: `${entitlement.product} has expired.` }
    }
    const ids = [...claim.activationIds, ...(claim.ofGroups ?? [])]
    for (const id of ids) {
      const refusal = refusalOf(claim, entitlements.get(id), users.get(id) ?? new Set())
      if (refusal) return refusal
    }
    for (const id of ids) for (const user of claim.users) users.get(id)?.add(user)
    return undefined
  })
}

function refusalOf(
  { users: wanted, group }: SeatClaim,
  entitlement: SeatEntitlement | undefined,
  users: ReadonlySet<string>,
): SeatRefusal | undefined {
  if (!entitlement) return NO_SUCH_ENTITLEMENT
  const { kind, product, quantity } = entitlement
  const needed = new Set(wanted.filter((user) => !users.has(user))).size
  if (kind === 'CONCURRENT' || needed === 0) return undefined
  const free = Math.max(0, quantity - users.size)
  if (needed <= free) return undefined
  const err =
    group === undefined
      ? `All ${seats(quantity)} of ${product} are assigned. Unassign somebody first.`
      : `${group} needs ${seats(needed)} of ${product}, and ${free} ${free === 1 ? 'is' : 'are'} free.`
  return { code: 'SEAT_GONE', err }
}

const seats = (count: number) => `${count} ${count === 1 ? 'seat' : 'seats'}`
