import { sql, type Transaction } from 'kysely'
import type {
  getScimCall as GetOperation,
  replayScimCall as ReplayOperation,
} from '#contract/provisioning/provisioning.ts'
import { keptText, MAX_KEPT_ANSWER } from '#domain/provisioning/call-log.ts'
import { errorResource } from '#domain/provisioning/scim-resources.ts'
import type { AuditEntry } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { WireAnswer } from '#server/http/envelope.ts'
import { BusinessRefusal, HttpError, ScimError } from '#server/http/http-error.ts'
import { insertCall } from '#server/modules/provisioning/scim/calls.queries.ts'
import { replayScim } from '#server/modules/provisioning/scim/replay.ts'
import { baseAddress } from '#server/modules/provisioning/screen/base-address.ts'
import { findScimCall } from '#server/modules/provisioning/screen/provisioning-screen.queries.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call, Result } from '#server/operations/route.ts'

type ReplayCall = Call<typeof ReplayOperation>

async function loadCall({ body, db, standing }: Call<typeof GetOperation> | ReplayCall) {
  const kept = await findScimCall(db, standing.customerNumber, body.id)
  if (!kept) throw new HttpError(404, 'There is no such call. The last 200 calls are kept.')
  return kept
}

export async function getScimCall(call: Call<typeof GetOperation>): Promise<Result<typeof GetOperation>> {
  const { request_body, answer_body, is_cut } = await loadCall(call)
  return { data: { body: request_body ?? '', answer: answer_body ?? '', isCut: is_cut } }
}

/** Does a failed call again as the caller, who may change what the identity provider manages. The log has the outcome, good or bad. */
export async function replayScimCall(call: ReplayCall): Promise<Result<typeof ReplayOperation>> {
  const { actor, body, db, now, standing } = call
  const { method, path, status, request_body, is_cut, token_id } = await loadCall(call)
  if (status < 400 || method === 'GET')
    throw new BusinessRefusal('NOTHING_TO_DO', 'Only failed calls that change something can be replayed.')
  if (is_cut) throw new BusinessRefusal('NOTHING_TO_DO', 'This call was too long to be kept. It cannot be replayed.')
  const started = performance.now()
  const outcome = await tryAgain(call, {
    method,
    path,
    body: request_body === null ? undefined : JSON.parse(request_body),
  })
  const id = await insertCall(db, {
    customer_number: standing.customerNumber,
    called_at: now,
    token_id,
    token_name: actor.email,
    method,
    path,
    status: outcome.status,
    milliseconds: Math.round(performance.now() - started),
    request_body,
    answer_body: keptText(outcome.body && JSON.stringify(outcome.body), MAX_KEPT_ANSWER).text,
    is_cut: false,
    replay_of: String(body.id),
  })
  const { before, after } = outcome.audited
  await call.audit({
    target: String(body.id),
    before,
    after: { call: `${method} ${path}`, status: outcome.status, ...(after as object | undefined) },
  })
  return { data: { id: Number(id), status: outcome.status, reason: outcome.reason } }
}

type Outcome = {
  readonly status: number
  readonly body: object | undefined
  readonly reason: string
  readonly audited: Pick<AuditEntry, 'before' | 'after'>
}

/** What is refused changes nothing, but is an outcome to tell. */
async function tryAgain(call: ReplayCall, logged: Parameters<typeof replayScim>[1]): Promise<Outcome> {
  const { db, now, request, services, standing } = call
  const by = auditContext(services, request, request.principal)
  const base = baseAddress(services.config, standing.customerNumber)
  let audited: Outcome['audited'] = {}
  const audit = async (entry: Outcome['audited']) => {
    audited = entry
  }
  const act = { db, customerNumber: standing.customerNumber, base, services, now, by, audit }
  try {
    const { status, body } = await withSavepoint(db, () => replayScim(act, logged))
    return { status, body, reason: '', audited }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { statusCode, message } = error
    const status = statusCode === 200 ? 409 : statusCode
    const scimType = error instanceof ScimError ? error.scimType : undefined
    return { status, body: errorResource(status, message, scimType), reason: message, audited: {} }
  }
}

async function withSavepoint(tx: Transaction<DB>, perform: () => Promise<WireAnswer>): Promise<WireAnswer> {
  await sql`savepoint replay`.execute(tx)
  try {
    return await perform()
  } catch (error) {
    await sql`rollback to savepoint replay`.execute(tx)
    throw error
  }
}
