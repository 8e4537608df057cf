import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type Cluster, type ConnectionSettings, prepareCluster } from '#server/embedded/cluster.ts'
import { lastComplaint, launchPostmaster } from '#server/embedded/postmaster.ts'
import { giveTo } from '#server/embedded/server-user.ts'
import { answers } from '#server/testing/answers.ts'
import { until } from '#server/testing/until.ts'
import { emptyDataDirectory, usedDataDirectory } from '#server/testing/walkable-directory.ts'

/** Unlike the embedded server of the product, this one can be replicated. */
const REPLICATED = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on', max_connections: '100' }

export type Server = { readonly cluster: Cluster; readonly connection: ConnectionSettings }

/** A PostgreSQL server that can have standbys. It ends with the test. */
export async function startPrimary(overrides: Record<string, string> = {}): Promise<Server> {
  return launch(await prepareCluster(usedDataDirectory('primary'), () => {}), { ...REPLICATED, ...overrides })
}

/** A streaming replica, copied while the primary runs. It ends with the test. */
export async function startStandby(primary: Server, overrides: Record<string, string> = {}): Promise<Server> {
  const dataDir = emptyDataDirectory('standby')
  await copyRunning(primary, dataDir)
  const cluster = await prepareCluster(dataDir, () => {})
  const { host, port, user, password } = primary.connection
  return launch(cluster, {
    ...REPLICATED,
    primary_conninfo: `host=${host} port=${port} user=${user} password=${password}`,
    ...overrides,
  })
}

/** A base backup over the driver, because the embedded server has no pg_basebackup. The copy is a standby when it starts. */
async function copyRunning({ cluster, connection }: Server, dataDir: string): Promise<void> {
  // A backup belongs to the connection that has started it.
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    execFileSync('cp', ['-a', cluster.dataDir, dataDir])
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
    const home = path.join(dataDir, path.basename(cluster.home))
    for (const name of fs.readdirSync(home))
      if (name === 'postmaster.pid' || name.startsWith('.s.PGSQL')) fs.rmSync(path.join(home, name))
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ] as const) {
      fs.writeFileSync(path.join(home, name), text)
      giveTo(cluster.user, path.join(home, name))
    }
  } finally {
    await client.end()
  }
}

async function launch(cluster: Cluster, overrides: Record<string, string>): Promise<Server> {
  launchPostmaster(cluster, { overrides })
  await until(() => answers(cluster.connection), 'PostgreSQL did not start').catch((error: Error) => {
    throw new Error(`${error.message}: ${lastComplaint(cluster.logFile)}`)
  })
  return { cluster, connection: cluster.connection }
}
