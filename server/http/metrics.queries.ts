import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export async function countDatabase(db: Kysely<DB>): Promise<{ figure: string; count: number }[]> {
  const { rows } = await sql<Record<string, string>>`
    select pg_database_size(datname) as size_bytes, numbackends as connections, xact_commit as commits,
           xact_rollback as rollbacks, deadlocks, blks_read as blocks_read, blks_hit as blocks_hit
      from pg_stat_database where datname = current_database()`.execute(db)
  return Object.entries(rows[0] ?? {}).map(([figure, value]) => ({ figure, count: Number(value) }))
}

/** Jobs that wait, run or have failed lately: the queue itself removes old ones. */
export async function countJobs(db: Kysely<DB>): Promise<{ queue: string; state: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; state: string; count: number }>`
    select name as queue, state::text as state, count(*)::int as count from jobs.job group by 1, 2`.execute(db)
  return rows
}
