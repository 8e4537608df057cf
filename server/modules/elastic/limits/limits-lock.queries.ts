import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Starts of an account with limits take this lock one after the other: each counts all that were admitted before it. */
export const limitsLock = (customerNumber: RawBuilder<unknown>) =>
  sql`pg_advisory_xact_lock(hashtext('elastic limits'), hashtext(${customerNumber}))`

/** Starts wait while limits are saved. */
export async function lockLimits(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select ${limitsLock(sql`${customerNumber}::text`)}`.execute(tx)
}
