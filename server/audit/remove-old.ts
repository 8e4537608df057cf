import type { Kysely } from 'kysely'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import { findRemovableEnd, findRetention, listChainsToShorten, removeOldRows } from '#server/audit/retention.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

export const DAY = 24 * 60 * 60 * 1000

/**
 * Applies the retention to every chain and answers how many rows are gone. The entry that says so is written first, in a transaction
 * of its own: without it, a removal looks like tampering, and on shards a transaction cannot write to a chain as the portal after the
 * owner of the tables has.
 */
export async function removeOld(db: Kysely<DB>, context: AuditContext, signal?: AbortSignal): Promise<number> {
  const days = await findRetention(db)
  if (days === undefined) return 0
  const before = new Date(context.at.getTime() - days * DAY)
  let removed = 0
  for (const customerNumber of await listChainsToShorten(db, before)) {
    if (signal?.aborted) break
    const log = (sequence: number) =>
      db
        .transaction()
        .execute((tx) =>
          writeAudit(tx, context, { action: 'audit.retention', customerNumber, after: { sequence, days } }),
        )
    const end = await findRemovableEnd(db, customerNumber, before)
    if (end === undefined) continue
    await log(end)
    const gone = await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      return removeOldRows(tx, customerNumber)
    })
    if (gone === undefined) continue
    removed += gone.removed
    // The function goes by the clock of the database, which may differ from the portal's.
    if (gone.sequence !== end) await log(gone.sequence)
  }
  return removed
}
