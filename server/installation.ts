import type { Config } from '#server/config.ts'
import { connectOrStartEmbedded, type Embedded, startEmbedded } from '#server/embedded/supervisor.ts'
import { ensureDatabase, migrate } from '#server/migrate.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { databaseFault } from '#server/usable-settings.ts'

/** An opened, migrated database, whether it is embedded or somewhere else. */
export type Installation = Database & {
  readonly embedded: Embedded | undefined
  readonly migrated: string[]
  close(): Promise<void>
}

const DATABASE = 'portal'

type Options = {
  log(line: string): void
  /** The command line works beside a running portal; a second portal is refused. */
  beside?: boolean
}

export async function openInstallation(config: Config, { log, beside = false }: Options): Promise<Installation> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl }
    const migrated = await migrate(connection).catch((error: unknown) => {
      throw databaseFault(error)
    })
    const database = openDatabase(connection)
    return { ...database, embedded: undefined, migrated, close: () => database.db.destroy() }
  }
  const embedded = await (beside ? connectOrStartEmbedded : startEmbedded)(config.dataDir, log)
  try {
    await ensureDatabase(embedded.connection, DATABASE)
    const connection = { ...embedded.connection, database: DATABASE }
    const migrated = await migrate(connection)
    const database = openDatabase(connection)
    const close = async () => {
      await database.db.destroy()
      await embedded.stop()
    }
    return { ...database, embedded, migrated, close }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}
