import type {
  approveRequest as Approve,
  declineRequest as Decline,
  withdrawRequest as Withdraw,
} from '#contract/requests/requests.ts'
import { can } from '#domain/access/can.ts'
import { closedText, nextState, type RequestEvent, stateAt, WRITE_ACTIONS } from '#domain/requests/request.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { describeGrant, performRequest } from '#server/modules/requests/perform-request.ts'
import { requestFacts } from '#server/modules/requests/request-facts.ts'
import { mailAdministrators, mailRequester } from '#server/modules/requests/request-mail.ts'
import { closeRequest, lockRequest, type RequestRow } from '#server/modules/requests/requests.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export const NO_SUCH_REQUEST = 'There is no such request.'

export const toDecided = ({ request_id, state, revision, is_by_rule }: RequestRow) => ({
  id: request_id,
  state,
  revision,
  isByRule: is_by_rule,
})

type DecideCall = Call<typeof Approve> | Call<typeof Decline>

/** Locks the request: of two people who decide at once, the second one is told what the first one has done. */
async function requestToDecide(call: DecideCall, event: RequestEvent): Promise<RequestRow> {
  const { body, db, now, standing } = call
  const request = await lockRequest(db, standing.customerNumber, body.id)
  if (!request) throw new HttpError(404, NO_SUCH_REQUEST)
  if (request.revision !== body.revision) {
    const by = request.decided_by ?? 'Somebody else'
    throw new ConflictError(`${by} has decided on this request in the meantime.`, {
      current: toDecided(request),
      yours: { id: body.id, event },
    })
  }
  refuseClosed(request, event, now)
  return request
}

function refuseClosed(request: RequestRow, event: RequestEvent, now: Date): void {
  const state = stateAt({ state: request.state, expiresAt: request.expires_at }, now)
  if (nextState(state, event) === undefined) throw new BusinessRefusal('REQUEST_CLOSED', closedText(state) ?? '')
}

export async function approveRequest(call: Call<typeof Approve>): Promise<Result<typeof Approve>> {
  const { actor, body, db, now, services, standing } = call
  const request = await requestToDecide(call, 'approve')
  const decision = can(actor, WRITE_ACTIONS[request.kind], standing)
  if (!decision.allowed) await call.refuse(new HttpError(403, decision.reason), { target: body.id })
  const { kind } = request
  const quantity = kind === 'web-license' ? 1 : (body.quantity ?? request.quantity)
  const item = body.item ?? request.item
  const target = body.target ?? request.target
  try {
    await performRequest(call, request, { kind, item, target, quantity }, body.order)
  } catch (error) {
    // The request stays open. The audit log keeps that the approval was tried.
    if (error instanceof BusinessRefusal) await call.refuse(error, { target: body.id })
    throw error
  }
  const isAsAsked = item === request.item && target === request.target
  const granted = isAsAsked ? request : await describeGrant(call, { kind, item, target })
  const approved = await closeRequest(db, request, {
    state: 'approved',
    decided_by: actor.email,
    decided_at: now,
    granted_quantity: quantity,
    granted_product: granted.product === request.product ? null : granted.product,
    granted_target_name: granted.target_name === request.target_name ? null : granted.target_name,
  })
  await mailRequester(db, services, { ...approved, state: 'approved' })
  return { data: toDecided(approved) }
}

export async function declineRequest(call: Call<typeof Decline>): Promise<Result<typeof Decline>> {
  const { actor, body, db, now, services } = call
  const request = await requestToDecide(call, 'decline')
  const declined = await closeRequest(db, request, {
    state: 'declined',
    decided_by: actor.email,
    decided_at: now,
    decision: body.reason,
  })
  await call.audit({ target: body.id, after: { ...requestFacts(request), reason: body.reason } })
  await mailRequester(db, services, { ...declined, state: 'declined' })
  return { data: toDecided(declined) }
}

/** Requests of others do not exist for this call. */
export async function withdraw(
  call: Pick<Call<typeof Withdraw>, 'actor' | 'body' | 'db' | 'now' | 'services' | 'audit'>,
  customerNumber: string,
): Promise<RequestRow> {
  const { actor, body, db, now, services } = call
  const request = await lockRequest(db, customerNumber, body.id)
  if (request?.requested_by !== actor.email) throw new HttpError(404, NO_SUCH_REQUEST)
  refuseClosed(request, 'withdraw', now)
  const withdrawn = await closeRequest(db, request, { state: 'withdrawn', decided_by: actor.email, decided_at: now })
  await call.audit({ customerNumber, target: body.id, after: { ...requestFacts(request), state: 'withdrawn' } })
  await mailAdministrators(db, services, withdrawn, 'withdrawn')
  return withdrawn
}
