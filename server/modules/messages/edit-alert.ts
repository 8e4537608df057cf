import { isDeepStrictEqual } from 'node:util'
import type { editAlert as operation } from '#contract/messages/alert-authoring.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import { toAlertRecord, toColumns, toDraft } from '#server/modules/messages/alerts.mapping.ts'
import { type AlertRow, changeAlert, lockAlert } from '#server/modules/messages/alerts.queries.ts'
import { readDraft } from '#server/modules/messages/create-alert.ts'
import type { Call, Result } from '#server/operations/route.ts'

export const NO_SUCH_ALERT = 'There is no such alert'
const CHANGED_MEANWHILE = 'This alert was changed by somebody else in the meantime.'

export async function editAlert(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, now, params } = call
  const { revision, ...sent } = body
  const alert = await lockAlert(db, params.id)
  if (!alert) throw new HttpError(404, NO_SUCH_ALERT)
  const draft = readDraft(sent, alert.status)
  // What is wanted is there already, perhaps because an answer got lost: nobody's change is overwritten.
  if (isDeepStrictEqual(draft, toDraft(alert))) return { data: toAlertRecord(alert) }
  refuseStale(alert, revision, draft)
  const changed = await changeAlert(db, alert, { ...toColumns(draft), changed_at: now })
  await call.audit({ target: alert.id, before: toDraft(alert), after: draft })
  return { data: toAlertRecord(changed) }
}

export function refuseStale(alert: AlertRow, revision: number, yours: unknown): void {
  if (alert.revision === revision) return
  throw new ConflictError(CHANGED_MEANWHILE, { current: toAlertRecord(alert), yours })
}
