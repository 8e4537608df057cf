import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { Outcome } from '#server/outbox/lane.ts'

export type MessageRow = Selectable<DB['outbox_message']>

export async function insertMessage(
  tx: Transaction<DB>,
  message: { id: string; lane: string; payload: object; at: Date },
): Promise<void> {
  await tx
    .insertInto('outbox_message')
    .values({
      id: message.id,
      lane: message.lane,
      payload: JSON.stringify(message.payload),
      queued_at: message.at,
      next_attempt_at: message.at,
    })
    .execute()
}

/**
 * The message of a lane that has been due longest, locked until the end of this transaction. Other processes skip it,
 * and a process that dies releases it at once, so no message is delivered by two processes.
 */
export async function takeDueMessage(tx: Transaction<DB>, lane: string, now: Date): Promise<MessageRow | undefined> {
  // Delivery may take minutes, during which this connection is silent.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  return tx
    .selectFrom('outbox_message')
    .selectAll()
    .where('lane', '=', lane)
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function saveOutcome(tx: Transaction<DB>, id: string, outcome: Outcome): Promise<void> {
  if (outcome.state === 'delivered') {
    await tx.deleteFrom('outbox_message').where('id', '=', id).execute()
    return
  }
  const { state, attempts, trouble } = outcome
  const next_attempt_at = outcome.state === 'queued' ? outcome.nextAttemptAt : null
  await tx
    .updateTable('outbox_message')
    .set({ state, attempts, trouble, next_attempt_at })
    .where('id', '=', id)
    .execute()
}

/** Locked, so that it is sent again once. */
export function findMessageToResend(tx: Transaction<DB>, id: string): Promise<MessageRow | undefined> {
  return tx.selectFrom('outbox_message').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Makes a message due at once, with its full retry budget. */
export async function requeueMessage(tx: Transaction<DB>, id: string, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox_message')
    .set({ state: 'queued', attempts: 0, trouble: '', next_attempt_at: at, resent_at: at })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`message ${id} has not failed, so it cannot be sent again`)
}

/** Keeps a message that its lane has given up, so that operators see it. */
export async function insertFailedMessage(
  tx: Transaction<DB>,
  message: { id: string; lane: string; payload: object; at: Date; attempts: number; trouble: string },
): Promise<void> {
  const { id, lane, at, attempts, trouble } = message
  await tx
    .insertInto('outbox_message')
    .values({ id, lane, payload: JSON.stringify(message.payload), state: 'failed', queued_at: at, attempts, trouble })
    .execute()
}

/** Messages that have failed and will never be sent again; those that are queued are still delivered. */
export async function deleteFailedMessages(tx: Transaction<DB>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from outbox_message where id = any (${[...ids]}::uuid[]) and state = 'failed'`.execute(tx)
}

/** Counts for the metrics. */
export function countMessages(db: Kysely<DB>): Promise<{ lane: string; state: MessageRow['state']; count: number }[]> {
  return db
    .selectFrom('outbox_message')
    .select(['lane', 'state', sql<number>`count(*)::int`.as('count')])
    .groupBy(['lane', 'state'])
    .orderBy('lane')
    .orderBy('state')
    .execute()
}

type FailedMessage = Pick<MessageRow, 'id' | 'lane' | 'queued_at' | 'attempts' | 'trouble'> & {
  readonly customer_number: string | null
}

/** Of all lanes, the newest first, without their content. */
export function listFailedMessages(db: Kysely<DB>, limit: number): Promise<FailedMessage[]> {
  return db
    .selectFrom('outbox_message')
    .select(['id', 'lane', 'queued_at', 'attempts', 'trouble'])
    .select(sql<string | null>`payload ->> 'customerNumber'`.as('customer_number'))
    .where('state', '=', 'failed')
    .orderBy('queued_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * A savepoint: without it, a failed statement in `work` would abort the transaction and lose the lock on the message.
 */
export async function inSavepoint<T>(tx: Transaction<DB>, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(tx)
    throw error
  }
}
