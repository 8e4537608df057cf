import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

/** Answers how many months were missing. */
export async function ensureUsagePartitions(db: Kysely<DB>, { from, to }: { from: Date; to: Date }): Promise<number> {
  const { rows } = await sql<{ made: number }>`select ensure_usage_partitions(${from}, ${to}) as made`.execute(db)
  return rows[0]?.made ?? 0
}

/** Outside of requests: where the database is sharded, several months take longer than a request may. */
export function ensureMonths(db: Kysely<DB>, months: { from: Date; to: Date }): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    return ensureUsagePartitions(tx, months)
  })
}

/** Autovacuum looks after the months, but nothing looks after the statistics of the whole. */
export function analyzeUsage(db: Kysely<DB>): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await sql`analyze usage_transaction`.execute(tx)
  })
}
