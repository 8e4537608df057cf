import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { type ConnectionSettings, prepareCluster } from '#server/embedded/cluster.ts'
import { launchPostmaster, stopPostmaster } from '#server/embedded/postmaster.ts'
import { answers } from '#server/testing/answers.ts'
import { fillWorld } from '#server/testing/load/load-world.ts'
import { type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'

const DIRECTORY = path.resolve('.data-load')
const RUN = 'load_run'
/** Usage transactions of the demo accounts, in addition to those of the generated accounts. */
const DEMO_USAGE = 20_000
const WORLD = { leases: 40, hosts: 12, usage: 400 }
/** A portal opens up to 32 connections and those of its jobs; the embedded server of the product has room for one portal. */
const CONNECTIONS_PER_PORTAL = 50

/** The embedded PostgreSQL with the settings of the product, but with connections for several portals. It ends with this process. */
export async function startLoadCluster(processes: number) {
  const cluster = await prepareCluster(DIRECTORY, () => {})
  const via = spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig', 'INT'] : []
  const overrides = { max_connections: String(20 + CONNECTIONS_PER_PORTAL * processes) }
  const server = launchPostmaster(cluster, { via, overrides })
  while (!(await answers(cluster.connection))) await sleep(100)
  return {
    connection: cluster.connection,
    async stop(): Promise<void> {
      if (server.pid) await stopPostmaster(server.pid, console.error)
    },
  }
}

/** The portal as it runs in production, but without an identity provider, and with no limit of requests for one address. */
export function startPortals(database: OpenedDatabase, processes: number): Promise<PortalProcess[]> {
  const settings = {
    LOG_LEVEL: 'info',
    RATE_LIMIT: '1000000000',
    SERVICE_RATE_LIMIT: '1000000000',
    NODE_ENV: 'production',
  }
  const connection = database.connection as ConnectionSettings
  return Promise.all(Array.from({ length: processes }, () => startPortalProcess(connection, settings)))
}

/**
 * A fresh copy of the demo data and of so many accounts to work on. The first run makes it, which takes minutes; later
 * ones copy it.
 */
export async function freshWorld(
  connection: ConnectionSettings,
  accounts: number,
  say: (line: string) => void,
): Promise<OpenedDatabase> {
  const template = `load_${accounts}_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  const { db: admin } = openDatabase({ ...connection, statement_timeout: 0, max: 1 })
  try {
    const { rows } = await sql`select from pg_database where datname = ${template} and datallowconn = false`.execute(
      admin,
    )
    if (rows.length === 0) {
      say(`making ${accounts} accounts and the demo data; this is done once a day`)
      await sql`drop database if exists ${sql.id(template)} with (force)`.execute(admin)
      await ensureDatabase(connection, template)
      await makeWorld(open(connection, template), accounts)
      await sql`alter database ${sql.id(template)} allow_connections false`.execute(admin)
    }
    await sql`drop database if exists ${sql.id(RUN)} with (force)`.execute(admin)
    await sql`create database ${sql.id(RUN)} template ${sql.id(template)}`.execute(admin)
  } finally {
    await admin.destroy()
  }
  return open(connection, RUN)
}

function open(connection: ConnectionSettings, name: string): OpenedDatabase {
  const own = { ...connection, database: name }
  return { ...openDatabase({ ...own, statement_timeout: 0, max: 2 }), connection: own, name }
}

async function makeWorld(database: OpenedDatabase, accounts: number): Promise<void> {
  const { db, connection } = database
  await migrate(connection)
  await loadDemo(db, { now: new Date(), usageTransactions: DEMO_USAGE, progress: () => {} })
  const [portal] = await startPortals(database, 1)
  await fillWorld(db, portal?.origin ?? '', { accounts, ...WORLD })
  await portal?.stop()
  await sql`vacuum analyze`.execute(db)
  await db.destroy()
}
