import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/**
 * Thrown where a transaction needs a partition that does not exist. The owner of the tables makes it, and on shards the owner has
 * other connections to the nodes: the transaction that fills the partition would not see it there. So it is made outside.
 */
export class MissingPartitionError extends Error {
  readonly make: (db: Kysely<DB>) => Promise<unknown>
  constructor(make: (db: Kysely<DB>) => Promise<unknown>) {
    super('a partition is missing')
    this.make = make
  }
}

/** A request may have parts of many months, and each may find that its own is missing. */
const MAX_ATTEMPTS = 200

/** Runs a transaction, and again with the partitions that it needs. */
export async function withPartitions<R>(db: Kysely<DB>, transact: () => Promise<R>): Promise<R> {
  for (let attempts = 1; ; attempts++)
    try {
      return await transact()
    } catch (error) {
      if (!(error instanceof MissingPartitionError) || attempts === MAX_ATTEMPTS) throw error
      await error.make(db)
    }
}
