import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { type Cluster, type ConnectionSettings, prepareCluster } from '#server/embedded/cluster.ts'
import { lastComplaint, launchPostmaster, postmasterPid } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { giveTo } from '#server/embedded/server-user.ts'
import { answers } from '#server/testing/answers.ts'
import { until } from '#server/testing/until.ts'
import { endServerIn } from '#server/testing/walkable-directory.ts'

const DATABASE = 'portal'

export type OwnCluster = { readonly connection: ConnectionSettings; start(): Promise<void>; kill(): Promise<void> }

/** A PostgreSQL of this test alone, with the durability of the product, in an existing data directory. */
export async function ownCluster(dataDir: string, overrides: Record<string, string> = {}): Promise<OwnCluster> {
  const cluster = await prepareCluster(dataDir, () => {})
  onTestFinished(() => endServerIn(cluster.home))
  const start = async () => {
    launchPostmaster(cluster, { overrides: { max_connections: '100', ...overrides } })
    await until(() => answers(cluster.connection), `no server: ${lastComplaint(cluster.logFile)}`)
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

/** A streaming standby of a running server: its files are copied while it works, and the log does the rest. */
export async function makeStandby(
  primaryDir: string,
  primary: ConnectionSettings,
  dataDir: string,
): Promise<OwnCluster> {
  const client = new pg.Client({ ...primary, database: 'postgres' })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  execFileSync('cp', ['-a', primaryDir, dataDir])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  const home = path.join(dataDir, 'postgres')
  // What belongs to the running primary, not to its data.
  for (const name of fs.readdirSync(home))
    if (/^(postmaster[.](pid|opts)|[.]s[.]PGSQL[.].*)$/.test(name)) fs.rmSync(path.join(home, name), { force: true })
  const { user } = await prepareCluster(dataDir, () => {})
  writeFor(user, path.join(home, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFor(user, path.join(home, 'standby.signal'), '')
  const { host, port, user: role, password } = primary
  const conninfo = `host=${host} port=${port} user=${role} password=${password} application_name=standby`
  return ownCluster(dataDir, { ...REPLICATED, primary_conninfo: conninfo, synchronous_standby_names: '' })
}

function writeFor(user: Cluster['user'], file: string, text: string): void {
  fs.writeFileSync(file, text, { mode: 0o600 })
  giveTo(user, file)
}

/** What a primary needs so that a standby can follow. */
export const REPLICATED = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' }
