import os from 'node:os'
import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { RunKind } from '#domain/upkeep/schedule.ts'
import type { DB } from '#server/db/schema.ts'

export type RecoveryRun = Selectable<DB['recovery_run']>
export type RunResult = Pick<
  Updateable<DB['recovery_run']>,
  'file' | 'bytes' | 'row_count' | 'as_of' | 'newest_entry_at' | 'recovery_point' | 'recovery_time' | 'findings'
>

/** A running process is seen this often, in milliseconds. By the clock of the database, which all processes share. */
const SEEN_EVERY = 10_000
const isAlive = sql<boolean>`seen_at > now() - interval '1 minute'`

export const INTERRUPTED = 'It was interrupted: its process ended.'

/** Keeps a run in the database while `work` is done. What `note` is given is kept if the work fails as well. */
export async function keepRun<T>(
  db: Kysely<DB>,
  run: { readonly kind: RunKind; readonly by: string; now(): Date },
  work: (id: string, note: (result: RunResult) => void) => Promise<T>,
): Promise<T> {
  const { id } = await db
    .insertInto('recovery_run')
    .values({ kind: run.kind, begun_by: run.by, machine: os.hostname(), begun_at: run.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = () => db.updateTable('recovery_run').where('id', '=', id)
  const update = (values: Updateable<DB['recovery_run']>) => row().set(values).execute()
  const see = () => row().set({ seen_at: sql<Date>`now()` }).execute()
  const beat = setInterval(() => void see().catch(() => {}), SEEN_EVERY).unref()
  let result: RunResult = {}
  const note = (more: RunResult) => {
    result = { ...result, ...more }
  }
  try {
    const worked = await work(id, note)
    await update({ ...result, state: 'done', ended_at: run.now() })
    return worked
  } catch (error) {
    // Without the database, the run is found to be interrupted later.
    await update({ ...result, state: 'failed', failure: messageOf(error), ended_at: run.now() }).catch(() => {})
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** PostgreSQL takes no NUL characters in text. */
const messageOf = (error: unknown) =>
  ((error as Error).message || String(error)).replaceAll('\0', '').slice(0, 2000) || 'unknown'

/** A run that is going on, other than the given one. */
export function findOtherRun(db: Kysely<DB>, kind: RunKind, id: string): Promise<RecoveryRun | undefined> {
  return db
    .selectFrom('recovery_run')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '<', id)
    .where('state', '=', 'running')
    .where(isAlive)
    .executeTakeFirst()
}

/** Marks runs whose process is gone. Nobody else has noted how they ended. */
export async function failInterruptedRuns(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .updateTable('recovery_run')
    .set({ state: 'failed', failure: INTERRUPTED, ended_at: now })
    .where('state', '=', 'running')
    .where(sql<boolean>`not (${isAlive})`)
    .execute()
}

/** `is_alive`: it was seen within a minute. */
export type ListedRun = RecoveryRun & { readonly is_alive: boolean }

/** The newest first. */
export function listRuns(db: Kysely<DB>, kind: RunKind, limit: number): Promise<ListedRun[]> {
  return db
    .selectFrom('recovery_run')
    .selectAll()
    .select(isAlive.as('is_alive'))
    .where('kind', '=', kind)
    .orderBy('begun_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findLastSuccess(db: Kysely<DB>, kind: RunKind): Promise<RecoveryRun | undefined> {
  return db
    .selectFrom('recovery_run')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '=', 'done')
    .orderBy('begun_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A backup holds the run that made it, as it was then: still running. */
export async function deleteUnfinishedRuns(tx: Transaction<DB>): Promise<void> {
  await tx.deleteFrom('recovery_run').where('state', '=', 'running').execute()
}

export async function findNewestEntry(db: Kysely<DB>): Promise<Date | null> {
  const row = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
