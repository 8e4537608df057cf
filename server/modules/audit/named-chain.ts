import { canOnPortal } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { AuditScope } from '#server/modules/audit/audit.list.ts'

type ChainCall = {
  readonly actor: Actor
  readonly standing: Standing | undefined
  refuse(error: HttpError): Promise<never>
}

/** The chain that a call is about. The guard has checked the right on an account; what concerns none is for staff. */
export async function namedChain({ actor, standing, refuse }: ChainCall): Promise<AuditScope> {
  if (standing) return { customerNumber: standing.customerNumber }
  const decision = canOnPortal(actor, 'audit.read')
  return decision.allowed ? { customerNumber: '' } : refuse(new HttpError(403, decision.reason))
}
