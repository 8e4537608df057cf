import path from 'node:path'
import type pg from 'pg'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { type Embedded, startEmbedded } from '#server/embedded/supervisor.ts'

/** Kept between runs: ten million rows take minutes to make. */
const DIRECTORY = path.resolve('.data-bench')

export type BenchCluster = { readonly embedded: Embedded; open(name: string): Promise<OpenedDatabase> }
export type OpenedDatabase = Database & { readonly connection: pg.PoolConfig; readonly name: string }

/** The embedded PostgreSQL with the settings of the product, in a separate directory. */
export async function startCluster(say: (line: string) => void): Promise<BenchCluster> {
  const embedded = await startEmbedded(DIRECTORY, say)
  return {
    embedded,
    async open(name) {
      await ensureDatabase(embedded.connection, name)
      const connection = { ...embedded.connection, database: name }
      await migrate(connection)
      // Building the indexes of a large month takes longer than any request may.
      return { ...openDatabase({ ...connection, statement_timeout: 0, max: 4 }), connection, name }
    },
  }
}
