import { type Kysely, sql, type Transaction } from 'kysely'
import type { RowOutcome } from '#server/data/data-kind.ts'
import { isTransactionConflict } from '#server/db/database-errors.ts'
import { MissingPartitionError } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

type Save = (tx: Transaction<DB>, rows: readonly object[]) => Promise<readonly RowOutcome[]>

/** Saves batches one after the other, each completely or not at all. */
export type RowSaver = {
  save(rows: readonly object[]): Promise<readonly RowOutcome[]>
  /** With false, uncommitted batches are rolled back. */
  finish(isKept: boolean): Promise<void>
}

const ATTEMPTS = 5

/** Every batch is a separate transaction, retried after a serialization failure or deadlock. */
export function saveByBatch(db: Kysely<DB>, save: Save): RowSaver {
  const attempt = (rows: readonly object[]) =>
    db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      return saveIsolated(tx, save, rows)
    })
  return {
    async save(rows) {
      for (let left = ATTEMPTS - 1; ; left--)
        try {
          return await attempt(rows)
        } catch (error) {
          if (left === 0 || !isTransactionConflict(error)) throw error
        }
    },
    finish: async () => {},
  }
}

/** All batches are one transaction. */
export async function saveTogether(db: Kysely<DB>, save: Save): Promise<RowSaver> {
  const tx = await db.startTransaction().execute()
  await allowLongWork(tx)
  return {
    save: (rows) => saveIsolated(tx, save, rows),
    async finish(isKept) {
      await (isKept ? tx.commit() : tx.rollback()).execute()
    },
  }
}

/** A row that the database refuses must not refuse the others: the batch is bisected until the row is alone. */
async function saveIsolated(tx: Transaction<DB>, save: Save, rows: readonly object[]): Promise<readonly RowOutcome[]> {
  await sql`savepoint import_rows`.execute(tx)
  try {
    const outcomes = await save(tx, rows)
    await sql`release savepoint import_rows`.execute(tx)
    return outcomes
  } catch (error) {
    const needsPartition = error instanceof MissingPartitionError
    if (!needsPartition && !isRefusedValue(error)) throw error
    await sql`rollback to savepoint import_rows`.execute(tx)
    await sql`release savepoint import_rows`.execute(tx)
    if (needsPartition) {
      // The command works as the owner of the tables, so it can make the partition and fill it in one transaction.
      await error.make(tx)
      return saveIsolated(tx, save, rows)
    }
    if (rows.length === 1) return [{ key: '', result: 'refused', code: 'UNUSABLE_VALUE', err: reasonOf(error) }]
    const half = Math.ceil(rows.length / 2)
    const first = await saveIsolated(tx, save, rows.slice(0, half))
    return [...first, ...(await saveIsolated(tx, save, rows.slice(half)))]
  }
}

type DatabaseError = Error & { code?: string; constraint?: string; detail?: string }

/** A value that PostgreSQL cannot take, or that a constraint refuses. */
const isRefusedValue = (error: unknown): error is DatabaseError =>
  /^2[23][0-9A-Z]{3}$/.test((error as DatabaseError)?.code ?? '')

const reasonOf = ({ message, detail }: DatabaseError) =>
  `The database refuses it: ${[message, detail].filter(Boolean).join('. ')}`
