import type { createAlert as operation } from '#contract/messages/alert-authoring.ts'
import { type AlertDraft, alertFaults, tidied } from '#domain/messages/alert-draft.ts'
import type { AlertStatus } from '#domain/messages/alerts.ts'
import { toAlertRecord, toColumns } from '#server/modules/messages/alerts.mapping.ts'
import { insertAlert } from '#server/modules/messages/alerts.queries.ts'
import { Problem } from '#server/plugins/problem.ts'
import type { Call, Result } from '#server/plugins/route.ts'

export async function createAlert(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now } = call
  const draft = readDraft(body)
  const alert = await insertAlert(db, {
    ...toColumns(draft),
    created_by: actor.email,
    created_at: now,
    changed_at: now,
  })
  await call.audit({ action: 'alerts.create', target: alert.id, after: draft })
  return { data: toAlertRecord(alert) }
}

export function readDraft(body: AlertDraft, status: AlertStatus = 'ACTIVE'): AlertDraft {
  const [fault] = alertFaults(body, status)
  if (fault) throw new Problem(400, fault)
  return tidied(body)
}
