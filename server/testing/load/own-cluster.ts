import { onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { type ConnectionSettings, prepareCluster } from '#server/embedded/cluster.ts'
import { lastComplaint, launchPostmaster, postmasterPid } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { answers } from '#server/testing/answers.ts'
import { until } from '#server/testing/until.ts'
import { endServerIn } from '#server/testing/walkable-directory.ts'

const PATIENCE = 90_000
const DATABASE = 'portal'

export type OwnCluster = { readonly connection: ConnectionSettings; start(): Promise<void>; kill(): Promise<void> }

/** A PostgreSQL of this test alone, with the durability of the product, in an existing data directory. */
export async function ownCluster(dataDir: string, overrides: Record<string, string> = {}): Promise<OwnCluster> {
  const cluster = await prepareCluster(dataDir, () => {})
  onTestFinished(() => endServerIn(cluster.home))
  const start = async () => {
    launchPostmaster(cluster, { overrides: { max_connections: '100', ...overrides } })
    await until(() => answers(cluster.connection), `no server: ${lastComplaint(cluster.logFile)}`, PATIENCE)
  }
  return {
    connection: { ...cluster.connection, database: DATABASE },
    start,
    async kill() {
      const pid = postmasterPid(cluster.home)
      if (!pid) return
      process.kill(pid, 'SIGKILL')
      await until(() => !isRunning(pid), 'the server did not end')
    },
  }
}

/** The migrated database of the portal on it. */
export async function openPortalDatabase(connection: ConnectionSettings): Promise<Database> {
  await ensureDatabase({ ...connection, database: 'postgres' }, DATABASE)
  await migrate(connection)
  const database = openDatabase({ ...connection, max: 3 })
  onTestFinished(() => database.db.destroy())
  return database
}
