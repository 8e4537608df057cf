import type { Kysely, Selectable } from 'kysely'
import type { DB } from '#server/plugins/schema.ts'

export type AlertRow = Selectable<DB['alert']>

/** A handful at any time: what the banner makes of them is decided by the domain rule. */
export function activeAlerts(db: Kysely<DB>): Promise<AlertRow[]> {
  return db
    .selectFrom('alert')
    .selectAll()
    .where('status', '=', 'ACTIVE')
    .orderBy('starts_at', 'desc')
    .orderBy('id')
    .execute()
}
