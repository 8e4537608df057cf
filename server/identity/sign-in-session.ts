import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#domain/access/roles.ts'
import { ACTIVITY_NOTED_MINUTES, IDLE_LIMIT_MINUTES } from '#domain/access/sign-in-limits.ts'
import type { Config } from '#server/config.ts'
import {
  type Caller,
  type CallerFacts,
  callerAt,
  hashOfId,
  loadCallerFacts,
  type SignInSessionFacts,
} from '#server/identity/principal.queries.ts'
import {
  deleteSignInSession,
  findAccountOfSession,
  insertSignInSession,
  touchSignInSession,
  type Viewing,
} from '#server/identity/sign-in-session.queries.ts'
import type { Services } from '#server/services.ts'

const MINUTE = 60_000
export const IDLE_LIMIT = IDLE_LIMIT_MINUTES * MINUTE
export const ABSOLUTE_LIMIT = 12 * 60 * MINUTE
/** Activity is written at most this often: a write per request would cost more than the request. */
const TOUCH_EVERY = ACTIVITY_NOTED_MINUTES * MINUTE

/** The prefix `__Host-` binds the cookie to this origin; browsers accept it over https only. */
export function cookieName(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name
}
const isSecure = (config: Config) => config.origin.startsWith('https:')
export const cookieAttributes = (config: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) }) as const
const SESSION = 'session'

export const signInCookieName = (config: Config): string => cookieName(config, SESSION)

export function signInSessionIdOf(request: FastifyRequest, config: Config): string | undefined {
  return request.cookies[signInCookieName(config)] || undefined
}

/** The person of a session that is neither over nor idle for too long; undefined if they must sign in. */
export async function findCaller(
  services: Services,
  sessionId: string,
  customerNumbers: readonly string[],
  isBackground: boolean,
): Promise<Caller | undefined> {
  const now = services.clock.now()
  const hash = hashOfId(sessionId)
  const key = hash.toString('hex')
  const facts = await loadFacts(services, { hash, key }, customerNumbers, now)
  if (!facts || isOver(facts.session, now)) return undefined
  if (!isBackground && now.getTime() - facts.session.lastSeenAt.getTime() >= TOUCH_EVERY) {
    await touchSignInSession(services.db, hash, now)
    services.callers.noteSeen(key, now)
  }
  const caller = callerAt(facts, now)
  if (caller.claimRoles === 'fresh' || !services.claimRoles) return caller
  const renewed = services.claimRoles.renew(sessionId).finally(() => services.callers.forgetSignInSession(key))
  if (caller.claimRoles === 'due') return caller
  await renewed
  const renewedFacts = await loadCallerFacts(services.pool, hash, customerNumbers)
  return renewedFacts && callerAt(renewedFacts, services.clock.now())
}

function isOver({ expiresAt, lastSeenAt }: SignInSessionFacts, now: Date): boolean {
  return now >= expiresAt || now.getTime() - lastSeenAt.getTime() >= IDLE_LIMIT
}

async function loadFacts(
  { callers, pool }: Services,
  { hash, key }: { readonly hash: Buffer; readonly key: string },
  customerNumbers: readonly string[],
  now: Date,
): Promise<CallerFacts | undefined> {
  const known = callers.find(key, customerNumbers)
  // A session that seems idle here may have been used in another process.
  if (known && !isOver(known.session, now)) return known
  const begun = callers.changes()
  const loaded = await loadCallerFacts(pool, hash, customerNumbers)
  if (loaded) callers.keep(key, loaded, begun)
  return loaded
}

export type NewSignInSession = {
  email: string
  roles: StaffRole[]
  subject: string
  idToken: string
  /** When the provider last asked the person; null if it did not say. */
  authenticatedAt: Date | null
  /** The account through whose own provider they have signed in. */
  accountProvider: string | null
  /** Given when the roles are to be requested again. */
  refreshToken: string | undefined
}

export async function startSignInSession(
  { db, clock, config, signInTokens }: Services,
  reply: FastifyReply,
  { email, roles, subject, idToken, authenticatedAt, accountProvider, refreshToken }: NewSignInSession,
): Promise<void> {
  const id = randomBytes(32).toString('base64url')
  const now = clock.now()
  const session = {
    id_hash: hashOfId(id),
    email,
    claim_roles: roles,
    claim_roles_checked_at: refreshToken === undefined ? null : now,
    authenticated_at: authenticatedAt,
    account_provider: accountProvider,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + ABSOLUTE_LIMIT),
  }
  const tokens = {
    subject,
    id_token: signInTokens.seal(id, 'id token', idToken),
    refresh_token: refreshToken === undefined ? null : signInTokens.seal(id, 'refresh token', refreshToken),
  }
  await insertSignInSession(db, session, tokens)
  reply.setCookie(signInCookieName(config), id, cookieAttributes(config))
}

export type EndedSignInSession = {
  email: string
  accountProvider: string | null
  viewing: Viewing | undefined
  idToken: string | undefined
  refreshToken: string | undefined
}

export async function endSignInSession(
  { callers, db, config, signInTokens }: Services,
  request: FastifyRequest,
): Promise<EndedSignInSession | undefined> {
  const id = signInSessionIdOf(request, config)
  if (id === undefined) return undefined
  const ended = await db.transaction().execute((tx) => deleteSignInSession(tx, hashOfId(id)))
  if (!ended) return undefined
  callers.forgetSignInSession(hashOfId(id).toString('hex'))
  return {
    email: ended.email,
    accountProvider: ended.account_provider,
    viewing: ended.viewing,
    idToken: signInTokens.open(id, 'id token', ended.id_token),
    refreshToken: signInTokens.open(id, 'refresh token', ended.refresh_token),
  }
}

/** The account through whose own provider the person of a session has signed in; null: that of the installation. */
export const accountOfSession = ({ db }: Services, sessionId: string): Promise<string | null> =>
  findAccountOfSession(db, hashOfId(sessionId))

export function forgetCookie(config: Config, reply: FastifyReply): void {
  reply.clearCookie(signInCookieName(config), { path: '/', secure: isSecure(config) })
}
