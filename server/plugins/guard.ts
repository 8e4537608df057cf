import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, Operation } from '#contract/kit/operation.ts'
import { type AccountAction, can, canOnPortal, type Decision } from '#domain/access/can.ts'
import { writeAudit } from '#server/plugins/audit.queries.ts'
import type { Caller } from '#server/plugins/caller.queries.ts'
import { refuseCrossSite } from '#server/plugins/cross-site.ts'
import { Problem } from '#server/plugins/problem.ts'
import type { Services } from '#server/plugins/services.ts'
import { callerOf, forgetCookie, sessionIdOf } from '#server/plugins/session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const SIGN_IN = 'Sign in to continue'

/**
 * Runs on every operation after the body is parsed and before it is validated, so that somebody without rights learns
 * nothing from validation errors. Session, person and account are one query.
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
  if (!sessionId) throw new Problem(401, SIGN_IN)
  const customerNumber = access.kind === 'account' ? customerNumberOf(request, access.customerNumberIn) : null
  const caller = await callerOf(services, sessionId, customerNumber, operation.background ?? false)
  if (!caller) {
    forgetCookie(services.config, reply)
    throw new Problem(401, SIGN_IN)
  }
  request.caller = caller
  if (access.kind === 'portal')
    await refuseUnless(services, operation, request, caller, canOnPortal(caller.actor, access.action))
  if (access.kind === 'account' && customerNumber !== null)
    await refuseUnless(
      services,
      operation,
      request,
      caller,
      can(caller.actor, actionOf(access, request), caller.standing),
      customerNumber,
    )
}

/** Anything but a text is left to validation, which refuses it: account operations require the field. */
function customerNumberOf(request: FastifyRequest, where: 'body' | 'params' | 'query'): string | null {
  const part = request[where] as Record<string, unknown> | null | undefined
  const value = part?.customerNumber
  return typeof value === 'string' && value.length <= 100 ? value : null
}

/** The body is not validated yet: any other value, or none, needs the operation's own action. */
function actionOf({ action, exception }: Access & { kind: 'account' }, request: FastifyRequest): AccountAction {
  const body = request.body as Record<string, unknown> | null | undefined
  return exception && body?.[exception.field] === exception.value ? exception.action : action
}

async function refuseUnless(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  caller: Caller,
  decision: Decision,
  customerNumber?: string,
): Promise<void> {
  if (decision.allowed) return
  await writeAudit(
    services.db,
    auditContext(services, request, caller),
    { action: operation.name, customerNumber },
    {
      outcome: 'refused',
      reason: decision.reason,
    },
  )
  throw new Problem(decision.hidden ? 404 : 403, decision.reason)
}

export function auditContext(services: Services, request: FastifyRequest, caller: Caller | null) {
  return {
    at: services.clock.now(),
    email: caller?.actor.email ?? 'Unknown',
    address: request.ip,
    requestId: request.id,
  }
}
