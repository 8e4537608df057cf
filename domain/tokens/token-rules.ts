import { ADDRESS_NOT_VALID, isAddressAllowed, parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { isProvisioning, PROVISIONING_SCOPE, type TokenScope } from '#domain/tokens/token-areas.ts'

const HOUR = 60 * 60 * 1000
export const DAY = 24 * HOUR

/** In days. */
export const MIN_LIFE = 1
export const MAX_LIFE = 366
export const MAX_TOKEN_NAME = 100
export const MAX_ADDRESSES = 100
/** Tokens of one account that can be used. */
export const MAX_TOKENS = 100
/** In hours: how long a token works beside the one that replaces it. */
export const MAX_OVERLAP = 168
export const DEFAULT_LIFE = 90
export const DEFAULT_OVERLAP = 24

/** What an account allows its tokens. */
export type TokenPolicy = { readonly longestDays: number; readonly isWriteAllowed: boolean }
export const DEFAULT_POLICY: TokenPolicy = { longestDays: MAX_LIFE, isWriteAllowed: true }

export type NewToken = {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly days: number
  readonly addresses: readonly string[]
}

export const NAME_REQUIRED = 'Enter a name.'
export const SCOPE_REQUIRED = 'Choose at least one area.'
const SCIM_ALONE = 'A token for provisioning has no other scope.'
export const LIFE_OUT_OF_RANGE = `Enter a whole number of days from ${MIN_LIFE} to ${MAX_LIFE}.`
export const WRITE_NOT_ALLOWED = 'The policy of this account allows tokens to read only.'
const lifeOverPolicy = (days: number) => `The policy of this account allows at most ${inDays(days)}.`
export const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

type TokenErrors = { readonly [K in keyof NewToken]?: string }

/** Errors by field. */
export function newTokenErrors(token: NewToken, policy: TokenPolicy): TokenErrors {
  const addresses = token.addresses.find((address) => parseNetwork(address) === undefined)
  const life = lifeProblem(token.days, policy)
  return {
    ...(token.name.trim() === '' ? { name: NAME_REQUIRED } : {}),
    ...scopeError(token.scopes, policy),
    ...(life === undefined ? {} : { days: life }),
    ...(addresses === undefined ? {} : { addresses: `${addresses}: ${ADDRESS_NOT_VALID}` }),
  }
}

function scopeError(scopes: readonly TokenScope[], policy: TokenPolicy): TokenErrors {
  if (scopes.length === 0) return { scopes: SCOPE_REQUIRED }
  if (scopes.includes(PROVISIONING_SCOPE) && !isProvisioning(scopes)) return { scopes: SCIM_ALONE }
  return !policy.isWriteAllowed && scopes.some(isWriteScope) ? { scopes: WRITE_NOT_ALLOWED } : {}
}

/** What is wrong with a life in days; undefined if nothing is. */
export function lifeProblem(days: number, { longestDays }: TokenPolicy): string | undefined {
  if (!isLife(days)) return LIFE_OUT_OF_RANGE
  return days > longestDays ? lifeOverPolicy(longestDays) : undefined
}

export const overlapProblem = (hours: number): string | undefined =>
  Number.isInteger(hours) && hours >= 0 && hours <= MAX_OVERLAP
    ? undefined
    : `Enter a whole number of hours from 0 to ${MAX_OVERLAP}.`

const isLife = (days: number) => Number.isInteger(days) && days >= MIN_LIFE && days <= MAX_LIFE
const isWriteScope = (scope: string) => scope.endsWith(':write') || scope === PROVISIONING_SCOPE

/** The networks of a token, each once, in canonical form. */
export function tidiedAddresses(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap((address) => parseNetwork(address) ?? []))]
}

/** Without a list, every address is allowed. */
export function isTokenAddressAllowed(addresses: readonly string[], address: string): boolean {
  return isAddressAllowed(
    addresses.map((allowed) => ({ name: '', address: allowed })),
    address,
  )
}

export type TokenState = 'Active' | 'Replaced' | 'Expired' | 'Revoked'

/** A replaced token works until the overlap is over. */
export function tokenState(
  token: { readonly expires: Date; readonly revoked: Date | null; readonly isReplaced: boolean },
  now: Date,
): TokenState {
  if (token.revoked) return 'Revoked'
  if (token.expires <= now) return 'Expired'
  return token.isReplaced ? 'Replaced' : 'Active'
}

/** When the token that is replaced ends: never later than it would have. */
export function endOfOverlap(expires: Date, now: Date, overlapHours: number): Date {
  return new Date(Math.min(expires.getTime(), now.getTime() + overlapHours * HOUR))
}

/** Days before its end on which the owner of a token is told, the earliest first. */
export const WARNING_DAYS = [7, 1] as const

/**
 * The warning that is due: the tightest whose time has come, unless it or a tighter one was sent. A token that lives no
 * longer than a warning period is warned of by the next one only: nobody needs a mail on the day of creation.
 */
export function dueWarning(
  token: { readonly created: Date; readonly expires: Date; readonly warnedDays: number | null },
  now: Date,
): number | undefined {
  const left = token.expires.getTime() - now.getTime()
  if (left <= 0) return undefined
  const life = token.expires.getTime() - token.created.getTime()
  const due = WARNING_DAYS.findLast((days) => left <= days * DAY && life > days * DAY)
  return due !== undefined && (token.warnedDays === null || due < token.warnedDays) ? due : undefined
}
