import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { BackupError } from '#server/backup/backup-format.ts'
import { databaseName } from '#server/backup/schema.queries.ts'
import { type Database, onDatabase, openDatabase, type Pool } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import {
  createScratch,
  dropScratch,
  dropUnusedScratches,
  findRoleName,
} from '#server/recovery/scratch-database.queries.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

type Parts = {
  readonly db: Kysely<DB>
  readonly pool: Pool
  /** A PostgreSQL whose role may create databases; that of the portal by default. */
  readonly serverUrl: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Creates an empty database, hands it to `work` and drops it, whatever happens. One that a killed process left behind is
 * dropped by the next call.
 */
export async function withScratchDatabase<T>(
  { db, pool, serverUrl, signal }: Parts,
  work: (scratch: Database) => Promise<T>,
): Promise<T> {
  const prefix = `${(await databaseName(db)).slice(0, 30)}_drill_`
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  const server = serverUrl === undefined ? onDatabase(pool) : { connectionString: serverUrl }
  // Dropping a large database takes longer than a request may.
  const settings = { application_name: 'portal drill', max: 1, statement_timeout: 0 }
  const administration = openDatabase({ ...server, ...settings })
  try {
    await dropUnusedScratches(administration.db, prefix)
    await createScratch(administration.db, name).catch(async (error: Error & { code?: string }) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
      throw new BackupError(mayNotCreate(await findRoleName(administration.db)))
    })
    const scratch = openDatabase({ ...onDatabase(administration.pool, name), ...settings })
    // Ends the statement that is running there.
    const interrupt = () => void dropScratch(administration.db, name).catch(() => {})
    signal?.addEventListener('abort', interrupt)
    try {
      signal?.throwIfAborted()
      return await work(scratch)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', interrupt)
      await scratch.db.destroy()
      await dropScratch(administration.db, name)
    }
  } finally {
    await administration.db.destroy()
  }
}

const mayNotCreate = (role: string) =>
  `The database role ${role} may not create a scratch database. Run "alter role ${role} createdb" as a superuser, or set DRILL_DATABASE_URL to a PostgreSQL where its role may.`
