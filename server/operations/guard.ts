import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import { type Access, BACKGROUND_HEADER, type Operation } from '#contract/kit/operation.ts'
import type { OperationName } from '#contract/operations.ts'
import { STOP_VIEWING } from '#contract/settings/view-as.ts'
import { type AccountAction, can, canOnPortal, type Decision } from '#domain/access/can.ts'
import { isSignInFresh } from '#domain/access/sign-in-limits.ts'
import { hasScope, missingScope, neededScopes } from '#domain/tokens/token-areas.ts'
import { type AuditContext, writeRefusals } from '#server/audit/audit.queries.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type ApiToken, INVALID_TOKEN } from '#server/identity/api-tokens.ts'
import type { Caller } from '#server/identity/principal.queries.ts'
import {
  auditContextOf,
  credentialOf,
  type FoundPrincipal,
  loadPrincipal,
  type Person,
  type Principal,
  refuseCrossSite,
} from '#server/identity/principal.ts'
import { INVALID_KEY, type ServiceKey } from '#server/identity/service-keys.ts'
import { forgetCookie } from '#server/identity/sign-in-session.ts'
import type { Services } from '#server/services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authorized caller; null for public operations. */
    principal: Principal | null
    /** The authorized caller if it is a person. */
    caller: Caller | null
  }
}

const VIEWING = 'VIEWING_AS_CUSTOMER'
const SIGN_IN = 'Sign in to continue'
const SEND_KEY = 'Send a service key in the header Authorization: Bearer lpk_…'
const NO_TOKEN = `${SIGN_IN}. A token cannot make this call.`
const NAME_ACCOUNT = 'A token must name its account in customerNumber'
const NO_ACCOUNT = 'No such account'
const READ_ONLY = 'The policy of the account allows tokens to read only'
const NO_KEY = `${SIGN_IN}. A service key cannot make this call.`

type Refusal = {
  readonly status: 401 | 403 | 404
  readonly reason: string
  readonly customerNumber?: string
  readonly target?: string
  readonly code?: FailureCode
}

/** The credentials of a request; 401 if the operation needs some and there are none. */
function requireCredential(
  { config }: Services,
  { access, writes, wire }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<typeof credentialOf> {
  const credential = credentialOf(request, config)
  if (credential || access.kind === 'public') return credential
  if (wire) reply.header('www-authenticate', 'Bearer')
  // A page of another site learns only that it is refused as cross-site.
  else if (writes && access.kind !== 'service') refuseCrossSite(request, config)
  throw refused(401, notSignedIn(access), access, reply)
}

const notSignedIn = ({ kind }: Access) => (kind === 'service' ? SEND_KEY : SIGN_IN)

/**
 * Runs on every operation before its body is read, so that nobody has a body parsed without being known. Where the body
 * names the accounts (`isBodyNeeded`), it runs a second time when that is parsed, and before it is validated: somebody
 * without rights learns nothing from validation errors. See docs/decisions/0003 for how the caller is loaded.
 */
export async function guard(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { isBodyRead }: { readonly isBodyRead: boolean },
): Promise<void> {
  const { config } = services
  const { access } = operation
  const credential = requireCredential(services, operation, request, reply)
  // Another site can make a browser send our cookie, but never a key or a token.
  if (operation.writes && (!credential || credential.kind === 'session')) refuseCrossSite(request, config)
  if (access.kind === 'public' || !credential) return

  const customerNumbers = accountsNamedIn(request, access)
  const found = await loadPrincipal(services, credential, {
    customerNumbers,
    isBackground: isBackground(operation, request),
    address: request.ip,
  })
  if (!found && credential.kind === 'service key') throw refused(401, INVALID_KEY, access, reply)
  if (!found && credential.kind === 'token') {
    reply.header('www-authenticate', 'Bearer error="invalid_token"')
    throw refused(401, INVALID_TOKEN, access, reply)
  }
  if (!found) {
    forgetCookie(config, reply)
    throw refused(401, notSignedIn(access), access, reply)
  }
  const named = { customerNumbers, isBodyRead }
  const refusals = refusalsOfView(found, operation, named)
  if (refusals.length === 0) refusals.push(...refusalsOf(found, operation, request, named))
  if (refusals.length === 0) refusals.push(...staleSignIn(services, found, operation, named))
  // If one of several accounts must stay unknown to the caller, the answer is 404.
  const first = refusals.find(({ status }) => status === 404) ?? refusals[0]
  if (first) {
    const entries = refusals.map(({ status: _, code: __, ...entry }) => ({
      action: operation.name as OperationName,
      ...entry,
    }))
    // In a view, the browser still sends its own writes, such as the last opened account. Nobody has asked for them.
    if (first.code !== VIEWING || !operation.background)
      await writeRefusals(services.db, auditContext(services, request, found.principal), entries)
    throw refused(first.status, first.reason, access, reply, first.code)
  }
  request.principal = found.principal
  if (found.principal && 'caller' in found.principal) request.caller = found.principal.caller
}

/** The accounts, or the needed right, are known only from the body. */
export const isBodyNeeded = (access: Access): boolean =>
  access.kind === 'accounts' ||
  (access.kind === 'account' && (access.customerNumberIn === 'body' || access.exception !== undefined))

function refused(
  status: Refusal['status'],
  reason: string,
  access: Access,
  reply: FastifyReply,
  code?: FailureCode,
): HttpError {
  if (status === 401 && access.kind === 'service') reply.header('www-authenticate', 'Bearer')
  return new HttpError(status, reason, code)
}

/** A session that is refused here, because the operation needs a key, is not extended. */
const isBackground = ({ access, background }: Operation, { headers }: FastifyRequest): boolean =>
  access.kind === 'service' || background === true || headers[BACKGROUND_HEADER] !== undefined

type Named = {
  /** The accounts that the request names, as far as it has been read. */
  readonly customerNumbers: readonly string[]
  readonly isBodyRead: boolean
}

function refusalsOf(found: FoundPrincipal, operation: Operation, request: FastifyRequest, named: Named): Refusal[] {
  if (found.principal === null) return [{ status: 401, reason: found.refusal, target: found.target }]
  const { access } = operation
  const { principal, refusal } = found
  if (refusal !== undefined) {
    if (principal.kind !== 'token') return [{ status: 401, reason: refusal }]
    const isOpen = operation.token !== null
    const status = isOpen && 'status' in found && found.status ? found.status : 401
    return [{ status, reason: refusal, customerNumber: principal.customerNumber }]
  }
  if (access.kind === 'service') return refusalsOfService(access, principal)
  if (principal.kind === 'service key') return [{ status: 401, reason: NO_KEY }]
  if (principal.kind === 'token') {
    const refusals = refusalsOfToken(operation, principal, named)
    if (refusals.length > 0) return refusals
  }
  return refusalsOfActor(principal.caller, access, request, named)
}

/** Staff who view the portal as a contact change nothing, whatever the contact may do. */
function refusalsOfView(
  { principal }: FoundPrincipal,
  { access, name, writes }: Operation,
  { customerNumbers, isBodyRead }: Named,
): Refusal[] {
  if (principal?.kind !== 'session' || principal.caller.viewedBy === undefined) return []
  if (!writes || name === STOP_VIEWING) return []
  if (isBodyNeeded(access) && !isBodyRead) return []
  const reason = `You are viewing the portal as ${principal.caller.actor.email}, which is read-only. Stop viewing to change anything.`
  return onAccounts({ status: 403, reason, code: VIEWING }, customerNumbers)
}

/** Only for those who may do it: nobody else is sent to sign in again for nothing. */
function staleSignIn(
  { clock, config }: Services,
  { principal }: FoundPrincipal,
  { access, freshSignIn }: Operation,
  { customerNumbers, isBodyRead }: Named,
): Refusal[] {
  const minutes = config.freshSignInMinutes
  if (!freshSignIn || minutes === 0 || principal?.kind !== 'session') return []
  if (isBodyNeeded(access) && !isBodyRead) return []
  if (isSignInFresh(principal.caller.authenticatedAt, clock.now(), minutes)) return []
  const reason = `Sign in again to do this. It needs a sign-in of the last ${minutes} minutes.`
  const code = 'FRESH_SIGN_IN_NEEDED'
  return onAccounts({ status: 403, reason, code }, customerNumbers)
}

/** A refusal for each of the accounts that a call names, or one if it names none. */
const onAccounts = (refusal: Refusal, customerNumbers: readonly string[]): Refusal[] =>
  customerNumbers.length > 0 ? customerNumbers.map((customerNumber) => ({ ...refusal, customerNumber })) : [refusal]

/** What tokens may not do, whatever the rights of the owner are. */
function refusalsOfToken(operation: Operation, token: ApiToken, { customerNumbers, isBodyRead }: Named): Refusal[] {
  const { access, writes } = operation
  const scopes = neededScopes(operation)
  const refuse = (status: Refusal['status'], reason: string, customerNumber = token.customerNumber) => [
    { status, reason, customerNumber },
  ]
  if (scopes.length === 0 || (access.kind !== 'account' && access.kind !== 'accounts')) return refuse(401, NO_TOKEN)
  const foreign = customerNumbers.filter((number) => number !== token.customerNumber)
  if (foreign.length > 0) return foreign.flatMap((number) => refuse(404, NO_ACCOUNT, number))
  if (!scopes.some((scope) => hasScope(token.scopes, scope))) return refuse(403, missingScope(...scopes))
  if (writes && !token.isWriteAllowed) return refuse(403, READ_ONLY)
  // People may leave the account out of some calls; then they are about all of their accounts.
  const isUnnamed = customerNumbers.length === 0 && (isBodyRead || !isBodyNeeded(access))
  return isUnnamed && access.kind === 'account' && access.optional ? refuse(403, NAME_ACCOUNT) : []
}

function refusalsOfActor(
  { actor, standings }: Caller,
  access: Access,
  request: FastifyRequest,
  { customerNumbers }: Named,
): Refusal[] {
  if (access.kind === 'portal') return toRefusals(canOnPortal(actor, access.action))
  if (access.kind !== 'account' && access.kind !== 'accounts') return []
  const action = access.kind === 'account' ? actionOf(access, request) : access.action
  return customerNumbers.flatMap((customerNumber) =>
    toRefusals(can(actor, action, standings.get(customerNumber)), customerNumber),
  )
}

function refusalsOfService(
  { scope }: Access & { kind: 'service' },
  principal: Person | ServiceKey | ApiToken,
): Refusal[] {
  if (principal.kind !== 'service key') return [{ status: 401, reason: SEND_KEY }]
  if (scope === undefined || principal.scopes.includes(scope)) return []
  return [{ status: 403, reason: `This service key does not have the scope ${scope}` }]
}

function toRefusals(decision: Decision, customerNumber?: string): Refusal[] {
  if (decision.allowed) return []
  const { hidden, reason } = decision
  return [{ status: hidden ? 404 : 403, reason, ...(customerNumber === undefined ? {} : { customerNumber }) }]
}

/** The body is not validated yet: any other value, or none, needs the operation's own action. */
function actionOf({ action, exception }: Access & { kind: 'account' }, request: FastifyRequest): AccountAction {
  const body = request.body as Record<string, unknown> | null | undefined
  return exception && body?.[exception.field] === exception.value ? exception.action : action
}

export function auditContext(services: Services, request: FastifyRequest, principal: Principal | null): AuditContext {
  return auditContextOf(principal, {
    at: services.clock.now(),
    address: request.ip,
    requestId: request.id,
    program: request.headers['user-agent'],
  })
}

const MAX_ACCOUNTS = 100

/**
 * The accounts that a request names, each once; none in a body that has not been read. The body is not validated yet:
 * anything but a text is skipped here and refused by validation.
 */
export function accountsNamedIn(request: Pick<FastifyRequest, 'body' | 'params' | 'query'>, access: Access): string[] {
  if (access.kind === 'account')
    return [propertyOf(request[access.customerNumberIn], access.customerNumberName ?? 'customerNumber')].filter(
      isCustomerNumber,
    )
  if (access.kind !== 'accounts') return []
  const [list = '', property] = access.customerNumbersIn.split(/\[\]\.?/)
  const elements = propertyOf(request.body, list)
  if (!Array.isArray(elements)) return []
  const named = elements.map((element) => (property ? propertyOf(element, property) : element)).filter(isCustomerNumber)
  const customerNumbers = [...new Set(named)]
  if (customerNumbers.length > MAX_ACCOUNTS)
    throw new HttpError(400, `A request can name at most ${MAX_ACCOUNTS} accounts`)
  return customerNumbers
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const isCustomerNumber = (value: unknown): value is string => typeof value === 'string' && value.length <= 100
