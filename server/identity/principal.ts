import type { FastifyRequest } from 'fastify'
import type { Operation } from '#contract/kit/operation.ts'
import { neededScopes } from '#domain/tokens/token-areas.ts'
import type { AuditContext } from '#server/audit/audit.queries.ts'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type ApiToken, apiTokenIn, type FoundApiToken, loadApiToken } from '#server/identity/api-tokens.ts'
import type { Caller } from '#server/identity/principal.queries.ts'
import {
  type FoundKey,
  loadServiceKey,
  nameWithId,
  type ServiceKey,
  serviceKeyIn,
} from '#server/identity/service-keys.ts'
import { findCaller, signInCookieName, signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import type { Services } from '#server/services.ts'

/** A signed-in person. */
export type Person = { readonly kind: 'session'; readonly caller: Caller }
/** A person who runs a command on the portal's own machine. */
type Operator = { readonly kind: 'operator' }

/** The caller. */
export type Principal = Person | ServiceKey | ApiToken | Operator

export const OPERATOR: Operator = { kind: 'operator' }

/** The credentials of a request, not verified yet. */
type Credential = { readonly kind: 'session' | 'service key' | 'token'; readonly secret: string }

/** A service key or token takes precedence: the cookie of the same request is ignored. */
export function credentialOf(request: FastifyRequest, config: Config): Credential | undefined {
  const key = serviceKeyIn(request.headers.authorization)
  if (key !== undefined) return { kind: 'service key', secret: key }
  const token = apiTokenIn(request.headers.authorization)
  if (token !== undefined) return { kind: 'token', secret: token }
  const sessionId = signInSessionIdOf(request, config)
  return sessionId === undefined ? undefined : { kind: 'session', secret: sessionId }
}

export type FoundPrincipal = { readonly principal: Person; readonly refusal: undefined } | FoundKey | FoundApiToken

/** What loading the principal needs to know of the call. */
type CallFacts = {
  readonly customerNumbers: readonly string[]
  readonly isBackground: boolean
  readonly address: string
}

/** The principal of a credential, with the reason if it may not act; undefined if there is none. */
export async function loadPrincipal(
  services: Services,
  { kind, secret }: Credential,
  { customerNumbers, isBackground, address }: CallFacts,
): Promise<FoundPrincipal | undefined> {
  if (kind === 'service key') return loadServiceKey(services, secret)
  if (kind === 'token') return loadApiToken(services, secret, address)
  const caller = await findCaller(services, secret, customerNumbers, isBackground)
  return caller && { principal: { kind, caller }, refusal: undefined }
}

/** Whether a request comes from a signed-in person or with a valid service key or token, regardless of their rights. */
export async function isKnownCaller(services: Services, request: FastifyRequest): Promise<boolean> {
  const credential = credentialOf(request, services.config)
  if (!credential) return false
  const found = await loadPrincipal(services, credential, {
    customerNumbers: [],
    isBackground: false,
    address: request.ip,
  })
  return found !== undefined && found.refusal === undefined
}

/** Identifies a principal. */
export function principalName(principal: Principal): string {
  if (principal.kind === 'session') return principal.caller.viewedBy ?? principal.caller.actor.email
  if (principal.kind === 'token') return `token ${principal.id}`
  return principal.kind === 'operator' ? 'operator' : nameWithId(principal)
}

/** A token acts for its owner. */
const authorOf = (principal: Principal): string =>
  principal.kind === 'token' ? principal.caller.actor.email : principalName(principal)

/** The token or key, or the provider of an account through which a person has signed in. */
function credentialNameOf(principal: Principal | null): { credential?: string } {
  if (principal && 'name' in principal) return { credential: nameWithId(principal) }
  const account = principal?.kind === 'session' ? principal.caller.actor.onlyOn : undefined
  return account === undefined ? {} : { credential: providerName(account) }
}

/** How the audit log names the provider of an account. */
export const providerName = (customerNumber: string) => `sign-in provider of ${customerNumber}`

/** The author of audit entries, and how they authenticated. */
export function auditContextOf(
  principal: Principal | null,
  from: Pick<AuditContext, 'at' | 'address' | 'requestId' | 'program'>,
): AuditContext {
  return {
    ...from,
    email: principal ? authorOf(principal) : 'Unknown',
    principal: principal?.kind ?? null,
    ...credentialNameOf(principal),
  }
}

/** What the portal does by itself, without a caller. */
export const contextOfPortal = (at: Date): AuditContext =>
  auditContextOf(OPERATOR, { at, address: 'schedule', requestId: '' })

/**
 * A page of another site can make a browser send our cookie, but it can neither set this header without asking us
 * first (CORS preflight, which we never grant) nor hide where it comes from.
 */
export function refuseCrossSite(request: FastifyRequest, config: Config): void {
  const site = request.headers['sec-fetch-site']
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none')
    throw new HttpError(403, 'This call was sent by another site')
  const { origin } = request.headers
  if (origin !== undefined && origin !== config.origin) throw new HttpError(403, 'This call was sent by another site')
  if (request.headers['x-requested-with'] !== 'portal')
    throw new HttpError(403, 'Calls that change something need the header X-Requested-With: portal')
}

/** The OpenAPI security schemes: people with a session, customers' programs with a token, the vendor's systems with a service key. */
export const securitySchemes = (config: Config) => ({
  session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: signInCookieName(config),
    description: 'Set at sign-in (`/auth/login`). Calls that change something also need `X-Requested-With: portal`.',
  },
  token: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'lpc_…',
    description:
      'Made by administrators of an account on the screen "API tokens". Each call names the scope that the token must have. A token calls operations about its own account only, with the rights that its owner has now.',
  },
  serviceKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'lpk_…',
    description: 'Made on the command line (`keys create`). Each call names the scope that the key must have.',
  },
})

export function securityOf({ access, ...operation }: Operation): Record<string, string[]>[] {
  if (access.kind === 'public') return []
  if (access.kind === 'service') return [{ serviceKey: access.scope === undefined ? [] : [access.scope] }]
  return [{ session: [] }, ...neededScopes(operation).map((scope) => ({ token: [scope] }))]
}
