import type { FastifyRequest } from 'fastify'
import type { AuditContext } from '#server/audit/audit.queries.ts'
import type { Config } from '#server/config.ts'
import type { Services } from '#server/services.ts'
import type { Caller } from '#server/session/principal.queries.ts'
import {
  type FoundKey,
  loadServiceKey,
  type ServiceKey,
  serviceKeyIn,
  serviceKeyName,
} from '#server/session/service-keys.ts'
import { findCaller, sessionIdOf } from '#server/session/session.ts'

/** A signed-in person. */
export type Person = { readonly kind: 'session'; readonly caller: Caller }
/** Whoever runs a command on the portal's own machine. */
type Operator = { readonly kind: 'operator' }

/** Who acts. */
export type Principal = Person | ServiceKey | Operator

export const OPERATOR: Operator = { kind: 'operator' }

/** What a request brings to prove who sends it, not checked yet. */
type Credential = { readonly kind: 'session' | 'service key'; readonly secret: string }

/** A service key goes first: with one, the cookie of the same request is ignored. */
export function credentialOf(request: FastifyRequest, config: Config): Credential | undefined {
  const key = serviceKeyIn(request.headers.authorization)
  if (key !== undefined) return { kind: 'service key', secret: key }
  const sessionId = sessionIdOf(request, config)
  return sessionId === undefined ? undefined : { kind: 'session', secret: sessionId }
}

export type FoundPrincipal = { readonly principal: Person; readonly refusal: undefined } | FoundKey

/** The principal behind a credential, with the reason if it may not act at all; undefined if there is none. */
export async function loadPrincipal(
  services: Services,
  { kind, secret }: Credential,
  { customerNumbers, isBackground }: { customerNumbers: readonly string[]; isBackground: boolean },
): Promise<FoundPrincipal | undefined> {
  if (kind === 'service key') return loadServiceKey(services, secret)
  const caller = await findCaller(services, secret, customerNumbers, isBackground)
  return caller && { principal: { kind, caller }, refusal: undefined }
}

/** Tells principals apart. */
export function principalName(principal: Principal): string {
  if (principal.kind === 'session') return principal.caller.actor.email
  return principal.kind === 'operator' ? 'operator' : serviceKeyName(principal)
}

/** Who the audit log names, and how that principal came. */
export function auditContextOf(
  principal: Principal | null,
  from: Pick<AuditContext, 'at' | 'address' | 'requestId'>,
): AuditContext {
  return {
    ...from,
    email: principal ? principalName(principal) : 'Unknown',
    principal: principal?.kind ?? null,
  }
}
