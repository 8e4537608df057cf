import type { AccountAction } from '#domain/access/can.ts'

/** What can be requested: a web license for a user, seats on a license server, or an order from a spending account. */
export const REQUEST_KINDS = ['web-license', 'seats', 'order'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const REQUEST_STATES = ['open', 'approved', 'declined', 'withdrawn', 'expired'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

/**
 * What can happen to a request. `fail` is an approval whose act was refused, for example because the last seat is gone: the
 * request stays open, so that it can be changed, approved later or declined.
 */
export const REQUEST_EVENTS = ['approve', 'decline', 'withdraw', 'expire', 'fail'] as const
export type RequestEvent = (typeof REQUEST_EVENTS)[number]

const NEXT: Readonly<Record<RequestEvent, RequestState>> = {
  approve: 'approved',
  decline: 'declined',
  withdraw: 'withdrawn',
  expire: 'expired',
  fail: 'open',
}

/** The state after the event; undefined if it cannot happen, because the request is closed. */
export function nextState(state: RequestState, event: RequestEvent): RequestState | undefined {
  return state === 'open' ? NEXT[event] : undefined
}

/** A request that nobody has decided in time is expired, also before the portal has marked it as such. */
export function stateAt(request: { readonly state: RequestState; readonly expiresAt: Date }, now: Date): RequestState {
  return request.state === 'open' && request.expiresAt <= now ? 'expired' : request.state
}

const CLOSED: Readonly<Record<Exclude<RequestState, 'open'>, string>> = {
  approved: 'This request is approved already.',
  declined: 'This request is declined already.',
  withdrawn: 'This request was withdrawn.',
  expired: 'This request has expired.',
}

/** Why nothing more can happen to a request; undefined while it is open. */
export const closedText = (state: RequestState): string | undefined => (state === 'open' ? undefined : CLOSED[state])

/** A person needs this right to see what is requested, and an approver the other one to do it. */
export const READ_ACTIONS: Readonly<Record<RequestKind, AccountAction>> = {
  'web-license': 'web-licenses.read',
  seats: 'activations.read',
  order: 'fsa.read',
}
export const WRITE_ACTIONS: Readonly<Record<RequestKind, AccountAction>> = {
  'web-license': 'web-licenses.write',
  seats: 'activations.write',
  order: 'fsa.order',
}

export const MAX_QUANTITY = 100_000
export const MAX_REASON = 500
/** Open requests of one person on one account. */
export const MAX_OPEN = 20

/** What is requested, in the words of mails and lists. */
export type Requested = {
  readonly kind: RequestKind
  readonly product: string
  readonly quantity: number
  /** The email of the user, the name of the license server, or the id of the contract. */
  readonly targetName: string
}

export function requestText({ kind, product, quantity, targetName }: Requested): string {
  if (kind === 'web-license') return `a web license of ${product} for ${targetName}`
  const seats = `${quantity.toLocaleString('en-US')} ${quantity === 1 ? 'seat' : 'seats'} of ${product}`
  return kind === 'seats' ? `${seats} on ${targetName}` : `an order of ${seats} from ${targetName}`
}

/** Who may ask on an account. Those who may do something themselves do not ask for it. */
export const ASKERS = ['nobody', 'viewers', 'viewers-and-web-users'] as const
export type Askers = (typeof ASKERS)[number]

export type RequestRules = {
  readonly askers: Askers
  /** Approve web licenses without anybody's decision while seats are free. */
  readonly approveWebLicenses: boolean
  /** Approve seats on license servers without anybody's decision while seats are free. */
  readonly approveSeats: boolean
  /** Requests that nobody has decided expire after so many days. */
  readonly days: number
}

export const DEFAULT_RULES: RequestRules = {
  askers: 'viewers-and-web-users',
  approveWebLicenses: false,
  approveSeats: false,
  days: 30,
}

export const MAX_DAYS = 365

/** A contact sees the account; a web user only has a license of it. */
export function mayAsk({ askers }: Pick<RequestRules, 'askers'>, who: 'contact' | 'web user'): boolean {
  return askers === 'viewers-and-web-users' || (askers === 'viewers' && who === 'contact')
}

export const NOBODY_MAY_ASK = 'This account does not take requests. Ask an administrator of the account.'

/** Orders cost money: a person always decides on them. */
export function isApprovedByRule(rules: RequestRules, kind: RequestKind): boolean {
  return (kind === 'web-license' && rules.approveWebLicenses) || (kind === 'seats' && rules.approveSeats)
}

const DAY = 86_400_000

export const expiryOf = ({ days }: Pick<RequestRules, 'days'>, requestedAt: Date): Date =>
  new Date(requestedAt.getTime() + days * DAY)
