import { isDeepStrictEqual } from 'node:util'
import type * as operations from '#contract/messages/alert-authoring.ts'
import { type AlertDraft, alertErrors, tidied } from '#domain/messages/alert-draft.ts'
import { type AlertStatus, isExpired } from '#domain/messages/alerts.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import { toAlert, toAlertRecord, toColumns, toDraft } from '#server/modules/messages/alerts.mapping.ts'
import { type AlertRow, changeAlert, insertAlert, lockAlert } from '#server/modules/messages/alerts.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export const NO_SUCH_ALERT = 'There is no such alert'
const CHANGED_MEANWHILE = 'This alert was changed by somebody else in the meantime.'

export async function createAlert(
  call: Call<typeof operations.createAlert>,
): Promise<Result<typeof operations.createAlert>> {
  const { actor, body, db, now } = call
  const draft = readDraft(body)
  const alert = await insertAlert(db, {
    ...toColumns(draft),
    created_by: actor.email,
    created_at: now,
    changed_at: now,
  })
  await call.audit({ target: alert.id, after: draft })
  return { data: toAlertRecord(alert) }
}

function readDraft(body: AlertDraft, status: AlertStatus = 'ACTIVE'): AlertDraft {
  const [error] = alertErrors(body, status)
  if (error) throw new HttpError(400, error)
  return tidied(body)
}

export async function editAlert(call: Call<typeof operations.editAlert>): Promise<Result<typeof operations.editAlert>> {
  const { body, db, now, params } = call
  const { revision, ...sent } = body
  const alert = await lockAlert(db, params.id)
  if (!alert) throw new HttpError(404, NO_SUCH_ALERT)
  const draft = readDraft(sent, alert.status)
  // The alert is already as requested, perhaps because an answer was lost. No other change is overwritten.
  if (isDeepStrictEqual(draft, toDraft(alert))) return { data: toAlertRecord(alert) }
  refuseStale(alert, revision, draft)
  const changed = await changeAlert(db, alert, { ...toColumns(draft), changed_at: now })
  await call.audit({ target: alert.id, before: toDraft(alert), after: draft })
  return { data: toAlertRecord(changed) }
}

function refuseStale(alert: AlertRow, revision: number, yours: unknown): void {
  if (alert.revision === revision) return
  throw new ConflictError(CHANGED_MEANWHILE, { current: toAlertRecord(alert), yours })
}

/** An alert counts as resolved when it is marked so and has expired: resolving does both. */
export async function resolveAlert(
  call: Call<typeof operations.resolveAlert>,
): Promise<Result<typeof operations.resolveAlert>> {
  const { body, db, now, params } = call
  const alert = await lockAlert(db, params.id)
  if (!alert) throw new HttpError(404, NO_SUCH_ALERT)
  if (alert.status === 'RESOLVED') return { data: toAlertRecord(alert) }
  refuseStale(alert, body.revision, { status: 'RESOLVED' })
  const expires_at = isExpired(toAlert(alert), now) ? alert.expires_at : now
  const changed = await changeAlert(db, alert, { status: 'RESOLVED', expires_at, changed_at: now })
  await call.audit({ target: alert.id, before: toAlert(alert), after: toAlert(changed) })
  return { data: toAlertRecord(changed) }
}
