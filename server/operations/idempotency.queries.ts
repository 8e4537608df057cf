import type { Insertable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Claims the key for this transaction, or returns the stored answer. Waits for a transaction that holds the key. */
export async function claimKey(
  tx: Transaction<DB>,
  row: Insertable<DB['idempotent_answer']>,
): Promise<{ body_hash: Buffer; answer: unknown } | undefined> {
  const inserted = await tx
    .insertInto('idempotent_answer')
    .values(row)
    .onConflict((conflict) => conflict.columns(['email', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted) return undefined
  return tx
    .selectFrom('idempotent_answer')
    .select(['body_hash', 'answer'])
    .where('email', '=', row.email)
    .where('key', '=', row.key)
    .executeTakeFirstOrThrow()
}

export async function keepAnswer(tx: Transaction<DB>, email: string, key: string, answer: object): Promise<void> {
  await tx
    .updateTable('idempotent_answer')
    .set({ answer: JSON.stringify(answer) })
    .where('email', '=', email)
    .where('key', '=', key)
    .execute()
}

export async function dropOldAnswers(tx: Transaction<DB>, before: Date): Promise<void> {
  await tx.deleteFrom('idempotent_answer').where('created_at', '<', before).execute()
}
