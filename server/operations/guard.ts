import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Access, BACKGROUND_HEADER, type Operation } from '#contract/kit/operation.ts'
import { type AccountAction, can, canOnPortal, type Decision } from '#domain/access/can.ts'
import { writeRefusals } from '#server/audit/audit.queries.ts'
import { HttpError } from '#server/http/http-error.ts'
import { accountsNamedIn } from '#server/operations/named-accounts.ts'
import type { Services } from '#server/services.ts'
import { refuseCrossSite } from '#server/session/cross-site.ts'
import type { Caller } from '#server/session/principal.queries.ts'
import { callerOf, forgetCookie, sessionIdOf } from '#server/session/session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const SIGN_IN = 'Sign in to continue'

/**
 * Runs on every operation after the body is parsed and before it is validated, so that somebody without rights learns
 * nothing from validation errors. Session, person and accounts are one query.
 */
export async function guard(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (operation.writes) refuseCrossSite(request, services.config)
  const { access } = operation
  if (access.kind === 'public') return
  const sessionId = sessionIdOf(request, services.config)
  if (!sessionId) throw new HttpError(401, SIGN_IN)
  const customerNumbers = accountsNamedIn(request, access)
  const isBackground = operation.background || request.headers[BACKGROUND_HEADER] !== undefined
  const caller = await callerOf(services, sessionId, customerNumbers, isBackground)
  if (!caller) {
    forgetCookie(services.config, reply)
    throw new HttpError(401, SIGN_IN)
  }
  request.caller = caller
  const refusals = refusalsOf(access, request, caller, customerNumbers)
  // Of several accounts, one that the caller must not know of decides the answer.
  const first = refusals.find(({ hidden }) => hidden) ?? refusals[0]
  if (!first) return
  const entries = refusals.map(({ customerNumber, reason }) => ({ action: operation.name, customerNumber, reason }))
  await writeRefusals(services.db, auditContext(services, request, caller), entries)
  throw new HttpError(first.hidden ? 404 : 403, first.reason)
}

type Refused = Extract<Decision, { allowed: false }> & { readonly customerNumber?: string }

function refusalsOf(
  access: Access,
  request: FastifyRequest,
  { actor, standings }: Caller,
  customerNumbers: readonly string[],
): Refused[] {
  if (access.kind === 'portal') {
    const decision = canOnPortal(actor, access.action)
    return decision.allowed ? [] : [decision]
  }
  if (access.kind !== 'account' && access.kind !== 'accounts') return []
  const action = access.kind === 'account' ? actionOf(access, request) : access.action
  return customerNumbers.flatMap((customerNumber) => {
    const decision = can(actor, action, standings.get(customerNumber))
    return decision.allowed ? [] : { ...decision, customerNumber }
  })
}

/** The body is not validated yet: any other value, or none, needs the operation's own action. */
function actionOf({ action, exception }: Access & { kind: 'account' }, request: FastifyRequest): AccountAction {
  const body = request.body as Record<string, unknown> | null | undefined
  return exception && body?.[exception.field] === exception.value ? exception.action : action
}

export function auditContext(services: Services, request: FastifyRequest, caller: Caller | null) {
  return {
    at: services.clock.now(),
    email: caller?.actor.email ?? 'Unknown',
    address: request.ip,
    requestId: request.id,
  }
}
