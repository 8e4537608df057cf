import type { Alert } from '#domain/messages/alerts.ts'
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
