import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** A statement that fails in `work` would otherwise doom the whole transaction, and with it the lock on the message. */
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
