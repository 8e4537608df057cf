import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { connectOrStartEmbedded, type Embedded, startEmbedded } from '#server/embedded/supervisor.ts'
import { databaseError } from '#server/usable-settings.ts'

/** An opened, migrated database, whether it is embedded or somewhere else. */
export type Installation = Database & {
  readonly embedded: Embedded | undefined
  readonly migrated: string[]
  close(): Promise<void>
}

const DATABASE = 'portal'
/** For the last statements when the portal closes, in milliseconds: they belong to requests that nobody waits for. */
const PATIENCE = 2_000

type Options = {
  log(line: string): void
  /** The command line works alongside a running portal; a second portal is refused. */
  sharesDatabase?: boolean
}

export async function openInstallation(
  config: Config,
  { log, sharesDatabase = false }: Options,
): Promise<Installation> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl }
    const migrated = await migrate(connection).catch((error: unknown) => {
      throw databaseError(error)
    })
    const database = openDatabase(connection)
    return { ...database, embedded: undefined, migrated, close: () => closeSoon(database) }
  }
  const embedded = await (sharesDatabase ? connectOrStartEmbedded : startEmbedded)(config.dataDir, log)
  try {
    await ensureDatabase(embedded.connection, DATABASE)
    const connection = { ...embedded.connection, database: DATABASE }
    const migrated = await migrate(connection)
    const database = openDatabase(connection)
    const close = async () => {
      await closeSoon(database)
      await embedded.stop()
    }
    return { ...database, embedded, migrated, close }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function closeSoon({ db }: Database): Promise<void> {
  await Promise.race([db.destroy(), sleep(PATIENCE, undefined, { ref: false })])
}
