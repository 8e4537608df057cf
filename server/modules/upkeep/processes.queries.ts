import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { SlowStatement } from '#server/db/statement-times.ts'

export type PortalProcess = Selectable<DB['portal_process']>

/** By the clock of the database, which all processes share. */
const isGone = sql<boolean>`seen_at < now() - interval '1 minute'`

/** Writes that a process is there, and deletes those that have not been seen for a minute. */
export async function seeProcess(
  db: Kysely<DB>,
  process: Omit<Insertable<DB['portal_process']>, 'seen_at' | 'slow_statements'>,
  slowStatements: readonly SlowStatement[],
): Promise<void> {
  const slow_statements = JSON.stringify(slowStatements)
  await db
    .insertInto('portal_process')
    .values({ ...process, slow_statements })
    .onConflict((conflict) =>
      // The time of the row that was to be inserted: Citus takes no other function of the clock here.
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ state: process.state, slow_statements, seen_at: ref('excluded.seen_at') })),
    )
    .execute()
  await db.deleteFrom('portal_process').where(isGone).execute()
}

export async function deleteProcess(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom('portal_process').where('id', '=', id).execute()
}

export function listProcesses(db: Kysely<DB>): Promise<PortalProcess[]> {
  return db
    .selectFrom('portal_process')
    .selectAll()
    .where(sql<boolean>`not (${isGone})`)
    .orderBy('machine')
    .orderBy('started_at')
    .execute()
}
