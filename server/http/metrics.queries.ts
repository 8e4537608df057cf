import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type Storage = Record<'size' | 'commits' | 'rollbacks' | 'deadlocks' | 'blocks_read' | 'blocks_hit', number>

export async function measureStorage(db: Kysely<DB>): Promise<Storage> {
  const { rows } = await sql<Storage>`
    select pg_database_size(datname)::float8 as size, xact_commit::float8 as commits, xact_rollback::float8 as rollbacks,
           deadlocks::float8 as deadlocks, blks_read::float8 as blocks_read, blks_hit::float8 as blocks_hit
      from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0] as Storage
}

/** Jobs that wait, run or have failed lately: the queue itself removes old ones. */
export async function countJobs(db: Kysely<DB>): Promise<{ queue: string; state: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; state: string; count: number }>`
    select name as queue, state::text as state, count(*)::int as count from jobs.job group by 1, 2`.execute(db)
  return rows
}
