import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export async function countDatabase(db: Kysely<DB>): Promise<{ figure: string; value: number }[]> {
  const { rows } = await sql<Record<string, string>>`
    select pg_database_size(datname) as size_bytes, numbackends as connections, xact_commit as commits,
           xact_rollback as rollbacks, deadlocks, blks_read as blocks_read, blks_hit as blocks_hit
      from pg_stat_database where datname = current_database()`.execute(db)
  return Object.entries(rows[0] ?? {}).map(([figure, value]) => ({ figure, value: Number(value) }))
}

/** Jobs that wait, run or have failed lately: the queue itself removes old ones. */
export async function countJobs(db: Kysely<DB>): Promise<{ queue: string; state: string; value: number }[]> {
  const { rows } = await sql<{ queue: string; state: string; value: number }>`
    select name as queue, state::text as state, count(*)::int as value from jobs.job group by 1, 2`.execute(db)
  return rows
}

export async function countOutbox(db: Kysely<DB>): Promise<{ state: string; value: number }[]> {
  const { rows } = await sql<{ state: string; value: number }>`
    select state, count(*)::int as value from mail where state in ('queued', 'failed') group by 1`.execute(db)
  return rows
}
