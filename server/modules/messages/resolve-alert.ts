import type { resolveAlert as operation } from '#contract/messages/alert-authoring.ts'
import { isExpired } from '#domain/messages/alerts.ts'
import { HttpError } from '#server/http/http-error.ts'
import { toAlert, toAlertRecord } from '#server/modules/messages/alerts.mapping.ts'
import { changeAlert, lockAlert } from '#server/modules/messages/alerts.queries.ts'
import { NO_SUCH_ALERT, refuseStale } from '#server/modules/messages/edit-alert.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** An alert counts as resolved when it is marked so and has expired: resolving does both. */
export async function resolveAlert(call: Call<typeof operation>): Promise<Result<typeof operation>> {
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
