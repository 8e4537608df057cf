import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#domain/access/roles.ts'
import type { Config } from '#server/config.ts'
import { type Caller, hashOfId, loadCaller } from '#server/plugins/caller.queries.ts'
import type { Services } from '#server/plugins/services.ts'
import { deleteSession, insertSession, touchSession } from '#server/plugins/session.queries.ts'

const MINUTE = 60_000
export const IDLE_LIMIT = 30 * MINUTE
const ABSOLUTE_LIMIT = 12 * 60 * MINUTE
/** Being seen is noted at most this often: a write per request would cost more than the request. */
const TOUCH_EVERY = MINUTE

/** `__Host-` binds the cookie to this very origin; browsers only take it over https. */
export function cookieName(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name
}
const isSecure = (config: Config) => config.origin.startsWith('https:')
const SESSION = 'session'

export function sessionIdOf(request: FastifyRequest, config: Config): string | undefined {
  return request.cookies[cookieName(config, SESSION)] || undefined
}

/** The person behind a session that is neither over nor idle for too long; undefined means: sign in. */
export async function callerOf(
  services: Services,
  sessionId: string,
  customerNumbers: readonly string[],
  background: boolean,
): Promise<Caller | undefined> {
  const caller = await loadCaller(services.pool, sessionId, customerNumbers)
  if (!caller) return undefined
  const now = services.clock.now().getTime()
  if (now >= caller.expiresAt.getTime() || now - caller.lastSeenAt.getTime() >= IDLE_LIMIT) return undefined
  if (!background && now - caller.lastSeenAt.getTime() >= TOUCH_EVERY)
    await touchSession(services.db, hashOfId(sessionId), new Date(now))
  return caller
}

export async function startSession(
  services: Services,
  reply: FastifyReply,
  email: string,
  claimRoles: StaffRole[],
): Promise<void> {
  const id = randomBytes(32).toString('base64url')
  const now = services.clock.now()
  await insertSession(services.db, {
    id_hash: hashOfId(id),
    email,
    claim_roles: claimRoles,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + ABSOLUTE_LIMIT),
  })
  reply.setCookie(cookieName(services.config, SESSION), id, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(services.config),
  })
}

export async function endSession(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const id = sessionIdOf(request, services.config)
  forgetCookie(services.config, reply)
  return id ? deleteSession(services.db, hashOfId(id)) : undefined
}

export function forgetCookie(config: Config, reply: FastifyReply): void {
  reply.clearCookie(cookieName(config, SESSION), { path: '/', secure: isSecure(config) })
}
