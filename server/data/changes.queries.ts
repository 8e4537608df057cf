import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/**
 * An instant such that everything that a statement run after this one does not see will have changed at it or later. Rows
 * that are not seen yet are written by transactions that are running, none before the start of its transaction, or will be
 * written after now (docs/decisions/0077-changed-since.md).
 */
export async function changesComeAfter(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ until: Date }>`
    select date_trunc('milliseconds', least(clock_timestamp(), (
      select min(a.xact_start) from pg_stat_activity a
       where a.datname = current_database() and a.backend_xid is not null))) as until`.execute(db)
  return (rows[0]?.until ?? new Date(0)).toISOString()
}
