import { type Kysely, sql } from 'kysely'
import type { Month } from '#domain/elastic/usage/archived-months.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

/** Returns the number of months that were missing. */
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

/** Within the transaction of the caller, if it has one. */
export async function ensureEachMonth(db: Kysely<DB>, months: readonly Month[]): Promise<void> {
  for (const month of months) {
    const first = new Date(`${month}-01T00:00:00Z`)
    if (db.isTransaction) await ensureUsagePartitions(db, { from: first, to: first })
    else await ensureMonths(db, { from: first, to: first })
  }
}

/** The months that have a partition, the oldest first. */
export async function listUsageMonths(db: Kysely<DB>): Promise<Month[]> {
  const { rows } = await sql<{ month: Month }>`
    select replace(substr(c.relname, 19), '_', '-') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass and c.relname ~ '_\\d{4}_\\d{2}$' order by 1`.execute(db)
  return rows.map(({ month }) => month)
}

export function analyzeUsage(db: Kysely<DB>): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await sql`select analyze_usage()`.execute(tx)
  })
}
