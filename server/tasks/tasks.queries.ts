import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { TaskFailure, TaskState } from '#domain/tasks/task.ts'
import type { DB } from '#server/db/schema.ts'

/** A task with the name and the zone of its account. */
export type NamedTask = Selectable<DB['background_task']> & {
  readonly account_name: string
  readonly time_zone: string
}
export type TaskKey = { readonly customerNumber: string; readonly id: string }
/** One attempt to do a task. */
export type TaskRun = TaskKey & { readonly attempt: number }
export type TaskOwner = { readonly customerNumber: string; readonly email: string }

const LISTED = 50

const namedTasks = (db: Kysely<DB>) =>
  db
    .selectFrom('background_task as t')
    .innerJoin('account as a', 'a.customer_number', 't.customer_number')
    .selectAll('t')
    .select(['a.name as account_name', 'a.time_zone'])

/** Tasks of all accounts, unless one is named. */
export async function listOwnTasks(
  db: Kysely<DB>,
  { customerNumber, email }: { customerNumber: string | undefined; email: string },
  kinds: readonly string[],
): Promise<NamedTask[]> {
  if (kinds.length === 0) return []
  return namedTasks(db)
    .$if(customerNumber !== undefined, (query) => query.where('t.customer_number', '=', customerNumber!))
    .where('t.requested_by', '=', email)
    .where('t.kind', 'in', kinds)
    .orderBy('t.requested_at', 'desc')
    .orderBy('t.id')
    .limit(LISTED)
    .execute()
}

/** A task belongs to the person who started it: for everybody else there is none. */
export function findOwnTask(
  db: Kysely<DB>,
  { customerNumber, email }: TaskOwner,
  id: string,
): Promise<NamedTask | undefined> {
  return namedTasks(db)
    .where('t.customer_number', '=', customerNumber)
    .where('t.id', '=', id)
    .where('t.requested_by', '=', email)
    .executeTakeFirst()
}

/**
 * Serializes requests of the same person, or about the same account, so that they cannot exceed a limit together. Locks
 * the person first, to avoid deadlocks.
 */
export async function lockTasks(tx: Transaction<DB>, { customerNumber, email }: TaskOwner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tasks of person'), hashtext(${email}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext('tasks of account'), hashtext(${customerNumber}))`.execute(tx)
}

type SameTask = {
  readonly kind: string
  readonly owner: TaskOwner
  readonly requestKey: Buffer
  /** Undefined when the kind cannot tell whether a file is up to date. */
  readonly asOf: string | null | undefined
  readonly now: Date
}

/** A waiting or running task, or a stored file that was made from the same state of the data. */
export async function findSameTask(
  db: Kysely<DB>,
  { kind, owner, requestKey, asOf, now }: SameTask,
): Promise<NamedTask | undefined> {
  const isUpToDate = asOf === undefined ? sql`false` : sql`t.as_of is not distinct from ${asOf}::text`
  return namedTasks(db)
    .where('t.customer_number', '=', owner.customerNumber)
    .where('t.requested_by', '=', owner.email)
    .where('t.kind', '=', kind)
    .where('t.request_key', '=', requestKey)
    .where(
      sql<boolean>`(t.state in ('waiting', 'running') or t.state = 'ready' and t.kept_until > ${now} and ${isUpToDate})`,
    )
    .orderBy('t.requested_at', 'desc')
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst()
}

type Kept = { count: number; bytes: number }

/**
 * The tasks that count toward the quotas of a kind: of the person on all accounts, and of the account for all people.
 */
export async function findKeptTasks(
  db: Kysely<DB>,
  kind: string,
  { customerNumber, email }: TaskOwner,
): Promise<{ unfinished: number; person: Kept; account: Kept }> {
  const { rows } = await sql<Record<'unfinished' | 'count' | 'bytes' | 'account_count' | 'account_bytes', string>>`
    select count(*) filter (where requested_by = ${email} and state <> 'ready') as unfinished,
           count(*) filter (where requested_by = ${email}) as count,
           coalesce(sum(bytes) filter (where requested_by = ${email}), 0) as bytes,
           count(*) filter (where customer_number = ${customerNumber}) as account_count,
           coalesce(sum(bytes) filter (where customer_number = ${customerNumber}), 0) as account_bytes
      from background_task
     where (requested_by = ${email} or customer_number = ${customerNumber})
       and kind = ${kind} and state in ('waiting', 'running', 'ready')`.execute(db)
  const [found] = rows
  return {
    unfinished: Number(found?.unfinished),
    person: { count: Number(found?.count), bytes: Number(found?.bytes) },
    account: { count: Number(found?.account_count), bytes: Number(found?.account_bytes) },
  }
}

type NewTask = { kind: string; owner: TaskOwner; request: object; requestKey: Buffer; fileName: string; at: Date }

export async function insertTask(tx: Transaction<DB>, task: NewTask): Promise<NamedTask> {
  const { id } = await tx
    .insertInto('background_task')
    .values({
      customer_number: task.owner.customerNumber,
      kind: task.kind,
      requested_by: task.owner.email,
      request: JSON.stringify(task.request),
      request_key: task.requestKey,
      file_name: task.fileName,
      requested_at: task.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return (await findOwnTask(tx, task.owner, id))!
}

export async function deleteTaskRow(tx: Transaction<DB>, { customerNumber, id }: TaskKey): Promise<void> {
  await tx.deleteFrom('background_task').where('customer_number', '=', customerNumber).where('id', '=', id).execute()
}

function update(db: Kysely<DB>, { customerNumber, id }: TaskKey) {
  return db.updateTable('background_task').where('customer_number', '=', customerNumber).where('id', '=', id)
}

function updateRun(db: Kysely<DB>, run: TaskRun) {
  return update(db, run).where('attempt', '=', run.attempt)
}

/**
 * Undefined when there is nothing left to do: the task is ready, has failed, or was deleted. An attempt that is still running
 * has lost its process: one that fails lets the task wait again.
 */
export async function beginTask(
  db: Kysely<DB>,
  { customerNumber, id }: TaskKey,
  asOf: string | null,
): Promise<NamedTask | undefined> {
  const { rows } = await sql<NamedTask>`
    update background_task t set state = 'running', done = 0, bytes = 0, as_of = ${asOf}, attempt = t.attempt + 1,
           deaths = t.deaths + (t.state = 'running')::int
      from account a
     where t.customer_number = ${customerNumber} and t.id = ${id} and t.state in ('waiting', 'running')
       and a.customer_number = t.customer_number
    returning t.*, a.name as account_name, a.time_zone`.execute(db)
  return rows[0]
}

/** False when the task was deleted, or another attempt has replaced this one. */
export async function isCurrent(db: Kysely<DB>, { customerNumber, id, attempt }: TaskRun): Promise<boolean> {
  const found = await db
    .selectFrom('background_task')
    .select('id')
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return found !== undefined
}

type Progress = { done: number; total: number | null; bytes: number }

/** False when the task was deleted, or another attempt has replaced this one. */
export async function noteProgress(db: Kysely<DB>, run: TaskRun, { done, total, bytes }: Progress): Promise<boolean> {
  const { numUpdatedRows } = await updateRun(db, run)
    .set({ done, total, bytes: String(bytes) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when the task was deleted, or another attempt has replaced this one. */
export async function finishTask(
  db: Kysely<DB>,
  run: TaskRun,
  { done, bytes, at, keptUntil }: Progress & { at: Date; keptUntil: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await updateRun(db, run)
    .set({ state: 'ready', total: done, done, bytes: String(bytes), finished_at: at, kept_until: keptUntil })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The attempt has failed, and another will follow. */
export async function letTaskWait(db: Kysely<DB>, run: TaskRun): Promise<void> {
  await updateRun(db, run).set({ state: 'waiting' }).execute()
}

export async function failTask(db: Kysely<DB>, run: TaskRun, failure: TaskFailure, at: Date): Promise<void> {
  await updateRun(db, run).set({ state: 'failed', failure, bytes: '0', finished_at: at }).execute()
}

export async function noteDownload(db: Kysely<DB>, key: TaskKey, at: Date): Promise<void> {
  await update(db, key).set({ downloaded_at: at }).execute()
}

/** Tasks are started together with their job, in one transaction. The jobs may be on another node than the tasks. */
export async function failAbandonedTasks(db: Kysely<DB>, now: Date): Promise<void> {
  const unfinished = await db
    .selectFrom('background_task')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .execute()
  const { rows: abandoned } = await sql<{ id: string }>`
    select t.id from unnest(${unfinished.map(({ id }) => id)}::text[]) as t (id)
     where not exists (select 1 from jobs.job j where j.data ->> 'id' = t.id and j.state in ('created', 'retry', 'active'))`.execute(
    db,
  )
  if (abandoned.length === 0) return
  const ids = abandoned.map(({ id }) => id)
  await db
    .updateTable('background_task')
    .set({ state: 'failed', failure: 'error', bytes: '0', finished_at: now })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}

export async function expireTasks(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .updateTable('background_task')
    .set({ state: 'expired' })
    .where('state', '=', 'ready')
    .where('kept_until', '<=', now)
    .execute()
}

/** Total size of all files that are stored or being made, on all accounts. */
export async function sumTaskBytes(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(bytes), 0) as bytes from background_task where state in ('waiting', 'running', 'ready')`.execute(
    db,
  )
  return Number(rows[0]?.bytes)
}

/** Tasks of everybody that wait or run, or have failed since, the newest first. */
export function listTasksInNeed(db: Kysely<DB>, failedSince: Date, limit: number): Promise<NamedTask[]> {
  return namedTasks(db)
    .where(sql<boolean>`(t.state in ('waiting', 'running') or t.state = 'failed' and t.finished_at >= ${failedSince})`)
    .orderBy('t.requested_at', 'desc')
    .orderBy('t.id')
    .limit(limit)
    .execute()
}

/** Counts for the metrics. */
export function countTasks(db: Kysely<DB>): Promise<{ kind: string; state: TaskState; count: number }[]> {
  return db
    .selectFrom('background_task')
    .select(['kind', 'state', sql<number>`count(*)::int`.as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .orderBy('state')
    .execute()
}
