import type { createAlert as operation } from '#contract/messages/alert-authoring.ts'
import { type AlertDraft, alertErrors, tidied } from '#domain/messages/alert-draft.ts'
import type { AlertStatus } from '#domain/messages/alerts.ts'
import { HttpError } from '#server/http/http-error.ts'
import { toAlertRecord, toColumns } from '#server/modules/messages/alerts.mapping.ts'
import { insertAlert } from '#server/modules/messages/alerts.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function createAlert(call: Call<typeof operation>): Promise<Result<typeof operation>> {
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

export function readDraft(body: AlertDraft, status: AlertStatus = 'ACTIVE'): AlertDraft {
  const [error] = alertErrors(body, status)
  if (error) throw new HttpError(400, error)
  return tidied(body)
}
