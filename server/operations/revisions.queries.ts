import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Something that people of an account edit as a whole. */
export type Edited = {
  readonly customerNumber: string
  readonly subject:
    | 'reminders'
    | 'statement schedule'
    | 'token policy'
    | 'request rules'
    | 'license use'
    | 'limits'
    | 'access reviews'
    | `${'PIN' | 'usernames' | 'IP rules'} of ${string}`
}

/** 0 if it was never saved. Read it before the content, so that a save in between is a conflict later and never overwritten. */
export async function findRevision(db: Kysely<DB>, { customerNumber, subject }: Edited): Promise<number> {
  const row = await db
    .selectFrom('saved_revision')
    .select('revision')
    .where('customer_number', '=', customerNumber)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.revision ?? 0
}

/**
 * Counts a save and returns its revision; undefined if somebody else has saved since the caller read revision `read`. Without
 * `read`, the caller replaces whatever is stored.
 */
export async function countSave(
  tx: Transaction<DB>,
  { customerNumber, subject }: Edited,
  read: number | undefined,
): Promise<number | undefined> {
  await tx
    .insertInto('saved_revision')
    .values({ customer_number: customerNumber, subject, revision: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { rows } = await sql<{ revision: number }>`
    update saved_revision set revision = revision + 1
     where customer_number = ${customerNumber} and subject = ${subject}
       and revision = coalesce(${read ?? null}, revision)
    returning revision`.execute(tx)
  return rows[0]?.revision
}
