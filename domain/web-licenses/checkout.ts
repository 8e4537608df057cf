import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, NOT_STARTED, remainingDays, type Term } from '#domain/entitlements/term.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'

/** Why a checkout is denied, in the order in which it is decided. */
export const CHECKOUT_REFUSALS = {
  EXPORT: 'Checkouts of this account are denied per Export Compliance restrictions.',
  UNKNOWN_PRODUCT: 'The account has no web license of this product.',
  ENTITLEMENT_EXPIRED: 'All web licenses of this product have expired.',
  NOT_STARTED: 'The web license of this product has not started yet.',
  USER_NOT_ASSIGNED: 'This user is not assigned to a web license of this product.',
  NO_SEAT: 'All seats of this product are in use.',
} as const
export type CheckoutRefusal = keyof typeof CHECKOUT_REFUSALS
export const CHECKOUT_REFUSAL_CODES = Object.keys(CHECKOUT_REFUSALS) as readonly CheckoutRefusal[]

/** Short labels of the refusals, for lists and charts. */
export const CHECKOUT_REFUSAL_LABELS: Readonly<Record<CheckoutRefusal, string>> = {
  EXPORT: 'Export compliance',
  UNKNOWN_PRODUCT: 'Unknown product',
  ENTITLEMENT_EXPIRED: 'License expired',
  NOT_STARTED: 'License not started',
  USER_NOT_ASSIGNED: 'User not assigned',
  NO_SEAT: 'No seat free',
}

/** Why a checkout was denied, told afterwards: what it was denied for may have changed since. */
export const CHECKOUT_DENIALS: Readonly<Record<CheckoutRefusal, string>> = {
  EXPORT: 'Checkouts of this account were denied per Export Compliance restrictions.',
  UNKNOWN_PRODUCT: 'The account had no web license of this product.',
  ENTITLEMENT_EXPIRED: 'All web licenses of this product had expired.',
  NOT_STARTED: 'The web license of this product had not started yet.',
  USER_NOT_ASSIGNED: 'The user was not assigned to a web license of this product.',
  NO_SEAT: 'All seats of this product were in use.',
}

/** A web entitlement of the product that is checked out. */
export type CheckoutEntitlement = {
  readonly activationId: string
  readonly kind: WebLicenseKind
  readonly quantity: number
  readonly term: Term
  /** Whether the user is assigned to it, directly or through a group. */
  readonly isAssigned: boolean
  /** Checkouts that run now. */
  readonly running: number
}

type Choice<E> = { readonly entitlement: E } | { readonly refusal: Exclude<CheckoutRefusal, 'EXPORT'> }

/**
 * Chooses the entitlement of a checkout. The user's own seat comes first: it leaves the shared ones to others, and all
 * checkouts of the user run on it. Among shared entitlements the one that ends first is used.
 */
export function chooseEntitlement<E extends CheckoutEntitlement>(
  entitlements: readonly E[],
  today: CalendarDay,
): Choice<E> {
  if (entitlements.length === 0) return { refusal: 'UNKNOWN_PRODUCT' }
  const started = entitlements.filter(({ term }) => remainingDays(term, today) !== NOT_STARTED)
  const valid = started.filter(({ term }) => remainingDays(term, today) !== EXPIRED)
  if (valid.length === 0)
    return { refusal: started.length < entitlements.length ? 'NOT_STARTED' : 'ENTITLEMENT_EXPIRED' }
  const assigned = valid.filter(({ isAssigned }) => isAssigned).sort(inOrderOfUse)
  if (assigned.length === 0) return { refusal: 'USER_NOT_ASSIGNED' }
  const entitlement = assigned.find(({ kind, running, quantity }) => kind === 'SUBSCRIPTION' || running < quantity)
  return entitlement ? { entitlement } : { refusal: 'NO_SEAT' }
}

function inOrderOfUse(one: CheckoutEntitlement, other: CheckoutEntitlement): number {
  if (one.kind !== other.kind) return one.kind === 'SUBSCRIPTION' ? -1 : 1
  const [end, otherEnd] = [one.term.endDate ?? FOREVER, other.term.endDate ?? FOREVER]
  if (end !== otherEnd) return end < otherEnd ? -1 : 1
  return one.activationId < other.activationId ? -1 : 1
}

/** After every calendar day. */
const FOREVER = '~'
