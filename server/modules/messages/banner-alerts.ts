import type { Kysely } from 'kysely'
import { type Alert, isInBanner } from '#domain/messages/alerts.ts'
import type { DB } from '#server/db/schema.ts'
import { toAlert } from '#server/modules/messages/alerts.mapping.ts'
import { listActiveAlerts } from '#server/modules/messages/alerts.queries.ts'

export async function listBannerAlerts(db: Kysely<DB>, now: Date): Promise<Alert[]> {
  const alerts = (await listActiveAlerts(db)).map(toAlert)
  return alerts.filter((alert) => isInBanner(alert, now))
}
