import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import type { TaskKey, TaskRun } from '#server/tasks/tasks.queries.ts'

/** How long an expired file stays, for downloads that began in time. */
const GRACE = '1 hour'

/** False when this attempt has no task any more: it was deleted, or another attempt has replaced this one. */
export async function insertPiece(
  db: Kysely<DB>,
  { customerNumber, id, attempt }: TaskRun,
  number: number,
  bytes: Buffer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into task_piece (customer_number, task_id, attempt, number, bytes)
    select customer_number, id, attempt, ${number}::int, ${bytes}::bytea from background_task
     where customer_number = ${customerNumber} and id = ${id} and attempt = ${attempt}`.execute(db)
  return numAffectedRows === 1n
}

export async function findPiece(
  db: Kysely<DB>,
  { customerNumber, id, attempt }: TaskRun,
  number: number,
): Promise<Buffer | undefined> {
  const piece = await db
    .selectFrom('task_piece')
    .select('bytes')
    .where('customer_number', '=', customerNumber)
    .where('task_id', '=', id)
    .where('attempt', '=', attempt)
    .where('number', '=', number)
    .executeTakeFirst()
  return piece?.bytes
}

/** Deletes the pieces of this attempt and of earlier ones. */
export async function deletePieces(db: Kysely<DB>, { customerNumber, id, attempt }: TaskRun): Promise<void> {
  await db
    .deleteFrom('task_piece')
    .where('customer_number', '=', customerNumber)
    .where('task_id', '=', id)
    .where('attempt', '<=', attempt)
    .execute()
}

/** Failed and expired tasks stay in the list, but lose their files. */
export async function deleteOutdatedPieces(db: Kysely<DB>, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await sql`
      delete from task_piece p using background_task t
       where t.customer_number = p.customer_number and t.id = p.task_id
         and (t.state = 'failed' or t.state = 'expired' and t.kept_until <= ${now}::timestamptz - ${GRACE}::interval)`.execute(
      tx,
    )
  })
}

/** Whether there is a file: every file has a first piece. */
export async function hasPieces(db: Kysely<DB>, { customerNumber, id }: TaskKey): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from background_task t
        join task_piece p on p.customer_number = t.customer_number and p.task_id = t.id and p.attempt = t.attempt
       where t.customer_number = ${customerNumber} and t.id = ${id} and p.customer_number = ${customerNumber}
         and p.number = 0) as found`.execute(db)
  return rows[0]?.found ?? false
}
