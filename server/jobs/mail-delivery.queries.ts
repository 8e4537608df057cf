import { type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type DueMail = Selectable<DB['mail']>
export type DueAttachment = Pick<Selectable<DB['mail_attachment']>, 'name' | 'media_type' | 'content'>

/**
 * The mail that has waited longest for its turn, locked for as long as this transaction lives. Other processes pass over
 * it, and a process that dies gives it back at once, so that no mail is ever in two hands.
 */
export async function takeDueMail(tx: Transaction<DB>, now: Date): Promise<DueMail | undefined> {
  // Sending may take minutes, during which this connection says nothing.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  return tx
    .selectFrom('mail')
    .selectAll()
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export function attachmentsOf(tx: Transaction<DB>, mail: DueMail): Promise<DueAttachment[]> {
  return tx
    .selectFrom('mail_attachment')
    .select(['name', 'media_type', 'content'])
    .where('customer_number', '=', mail.customer_number)
    .where('mail_id', '=', mail.id)
    .orderBy('position')
    .execute()
}

export type Outcome =
  | { state: 'sent' | 'mailbox'; delivered_at: Date; next_attempt_at: null; trouble: string }
  | { state: 'queued'; delivered_at: null; next_attempt_at: Date; trouble: string }
  | { state: 'failed'; delivered_at: null; next_attempt_at: null; trouble: string }

export async function noteAttempt(tx: Transaction<DB>, mail: DueMail, outcome: Outcome): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ ...outcome, attempts: mail.attempts + 1 })
    .where('customer_number', '=', mail.customer_number)
    .where('id', '=', mail.id)
    .execute()
}
