import { hash, randomBytes } from 'node:crypto'
import { isProvisioning, isTokenScope, type TokenScope } from '#domain/tokens/token-areas.ts'
import { isTokenAddressAllowed } from '#domain/tokens/token-rules.ts'
import { createTokenText, isTokenText, RANDOM_BYTES, TOKEN_PREFIX } from '#domain/tokens/token-text.ts'
import {
  type ApiTokenFacts,
  findApiToken,
  saveApiTokenUse,
  type TokenFacts,
} from '#server/identity/api-tokens.queries.ts'
import { type AccountFacts, type Caller, callerAt, loadAccountFacts } from '#server/identity/principal.queries.ts'
import { bearerWith } from '#server/identity/service-keys.ts'
import type { Services } from '#server/services.ts'

/**
 * A token of a customer. Its caller is the owner on the account of the token, without any staff role. A token for provisioning acts
 * for the account's identity provider instead: it goes on when its owner leaves.
 */
export type ApiToken = {
  readonly kind: 'token'
  readonly id: string
  readonly name: string
  readonly customerNumber: string
  readonly scopes: readonly TokenScope[]
  /** Whether the policy of the account allows tokens to change anything. */
  readonly isWriteAllowed: boolean
  readonly caller: Caller
}

export const INVALID_TOKEN = 'This token is not valid'
/** The last use is saved at most once a minute: a write per request would cost more than the request. */
const SAVE_USE_EVERY = 60_000

export type NewTokenSecret = { readonly token: string; readonly secretHash: Buffer }

export function createApiToken(): NewTokenSecret {
  const token = createTokenText(randomBytes(RANDOM_BYTES))
  return { token, secretHash: hashOf(token) }
}

/** The token in an Authorization header, valid or not. */
export const apiTokenIn = (authorization: string | undefined) => bearerWith(TOKEN_PREFIX, authorization)

/** A token, with the reason if it cannot be used: revoked, expired, or not from this address. */
export type FoundApiToken = {
  readonly principal: ApiToken
  readonly refusal: string | undefined
  readonly status?: 403
}

type Parts = Pick<Services, 'callers' | 'clock' | 'db' | 'pool'>

/** The token that a caller sent; undefined if there is no such token. */
export async function loadApiToken(services: Parts, sent: string, address: string): Promise<FoundApiToken | undefined> {
  // A mistyped or made-up token costs no statement.
  if (!isTokenText(sent)) return undefined
  const secretHash = hashOf(sent)
  const facts = await loadFacts(services, secretHash)
  if (!facts) return undefined
  const { token, account } = facts
  const now = services.clock.now()
  const principal = toPrincipal(token, account, now)
  const refusal = refusalOf(token, now)
  if (refusal !== undefined) return { principal, refusal }
  if (!isTokenAddressAllowed(token.addresses, address))
    return { principal, refusal: `This token cannot be used from ${address}`, status: 403 }
  if (isUseDue(token, now)) {
    await saveApiTokenUse(services.db, token, {
      at: now,
      address,
      unlessAfter: new Date(now.getTime() - SAVE_USE_EVERY),
    })
    services.callers.noteTokenUse(secretHash.toString('hex'), now)
  }
  return { principal, refusal: undefined }
}

async function loadFacts({ callers, pool }: Parts, secretHash: Buffer): Promise<TokenFacts | undefined> {
  const key = secretHash.toString('hex')
  const known = callers.findToken(key)
  if (known) return known
  const begun = callers.changes()
  const token = await findApiToken(pool, secretHash)
  if (!token) return undefined
  const account = await loadAccountFacts(pool, actorOf(token), token.customer_number)
  callers.keepToken(key, { token, account }, begun)
  return { token, account }
}

/** The name of an identity provider in the audit log. No email is like it. */
const PROVIDER = 'SCIM'
const actorOf = ({ owner, scopes }: Pick<ApiTokenFacts, 'owner' | 'scopes'>) =>
  isProvisioning(scopes) ? PROVIDER : owner

/** Only for callers who have the token: nobody else learns whether it was revoked or has expired. */
function refusalOf({ revoked_at, expires_at }: ApiTokenFacts, now: Date): string | undefined {
  if (revoked_at) return 'This token was revoked'
  return expires_at <= now ? 'This token has expired' : undefined
}

const isUseDue = ({ last_used_at }: ApiTokenFacts, now: Date) =>
  last_used_at === null || now.getTime() - last_used_at.getTime() >= SAVE_USE_EVERY

function toPrincipal(token: ApiTokenFacts, account: AccountFacts, now: Date): ApiToken {
  const { id, name, customer_number, scopes, is_write_allowed, created_at, expires_at } = token
  const session = {
    email: actorOf(token),
    staffRoles: [],
    claimRoles: [],
    claimRolesCheckedAt: null,
    lastSeenAt: created_at,
    authenticatedAt: null,
    viewingAs: null,
    accountProvider: null,
    enforcedBy: null,
    expiresAt: expires_at,
  }
  const caller = callerAt({ session, accounts: new Map([[customer_number, account]]) }, now)
  return {
    kind: 'token',
    id,
    name,
    customerNumber: customer_number,
    scopes: scopes.filter(isTokenScope),
    isWriteAllowed: is_write_allowed,
    caller: {
      ...caller,
      actor: {
        ...caller.actor,
        onlyOn: customer_number,
        byToken: true as const,
        ...(isProvisioning(scopes) ? { isProvider: true as const } : {}),
      },
    },
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
