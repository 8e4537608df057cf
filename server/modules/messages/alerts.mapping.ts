import type { Static } from 'typebox'
import type { alertList } from '#contract/messages/alert-list.ts'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { type Alert, severityOf } from '#domain/messages/alerts.ts'
import type { AlertRow } from '#server/modules/messages/alerts.queries.ts'

export function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    category: row.category,
    status: row.status,
    date: row.starts_at.toISOString(),
    expires: row.expires_at?.toISOString() ?? null,
    description: row.description,
    service: row.services,
    links: row.links,
  }
}

export function toAlertRecord(row: AlertRow): Static<typeof alertList.row> {
  return { ...toAlert(row), severity: severityOf(row.category), revision: row.revision }
}

/** The part of a stored alert that its author can change. */
export function toDraft(row: AlertRow): AlertDraft {
  const { id: _id, status: _status, ...draft } = toAlert(row)
  return draft
}

export function toColumns({ category, date, expires, description, service, links }: AlertDraft) {
  return {
    category,
    starts_at: new Date(date),
    expires_at: expires === null ? null : new Date(expires),
    description,
    services: service,
    links: JSON.stringify(links),
  }
}
