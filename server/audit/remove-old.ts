import type { Kysely } from 'kysely'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import { findRetention, listChainsToShorten, removeOldRows } from '#server/audit/retention.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

export const DAY = 24 * 60 * 60 * 1000

/** Applies the retention to every chain, each in its own transaction with the entry that says so. Answers how many rows are gone. */
export async function removeOld(db: Kysely<DB>, context: AuditContext, signal?: AbortSignal): Promise<number> {
  const days = await findRetention(db)
  if (days === undefined) return 0
  let removed = 0
  for (const customerNumber of await listChainsToShorten(db, new Date(context.at.getTime() - days * DAY))) {
    if (signal?.aborted) break
    removed += await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      const gone = await removeOldRows(tx, customerNumber)
      if (!gone) return 0
      const { sequence } = gone
      await writeAudit(tx, context, { action: 'audit.retention', customerNumber, after: { sequence, days } })
      return gone.removed
    })
  }
  return removed
}
