import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { asPortalRole, type ConnectionSettings, PORTAL_ROLE, prepareCluster } from '#server/embedded/cluster.ts'
import { launchPostmaster, stopPostmaster } from '#server/embedded/postmaster.ts'
import { partitionsAround } from '#server/modules/elastic/elastic.jobs.ts'
import { ensureMonths as ensureUsageMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { monthsAround } from '#server/modules/license-use/license-use.jobs.ts'
import { ensureMonths as ensureLogMonths } from '#server/modules/license-use/logs/log.queries.ts'
import { ensureRole, prepareDatabase } from '#server/prepare-database.ts'
import { answers } from '#server/testing/answers.ts'
import { citusNodes, closeToOthers, makeCitusDatabase, shardDatabase } from '#server/testing/scale-out/citus.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: ConnectionSettings
    /** The servers on which a database has to be created: this server, or every node of a sharded one. */
    testNodes: ConnectionSettings[]
    templateDatabase: string
    /** A template with the demo data, and the instant for which it was made. */
    demoTemplate: string
    demoMadeAt: string
    /** A data directory as it is after a first start and a stop, to be copied. */
    pristineDataDir: string
  }
}

const TEMPLATE = 'template_portal'
const DEMO_TEMPLATE = 'template_demo'
/** Demo data with every state, but few usage rows. */
const USAGE_IN_TESTS = 2_000

/** Test data is thrown away: unlike the product, this server need not survive a power cut. Its files may be in memory. */
const FOR_SPEED = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '256MB',
}

/** On Linux the kernel ends the server when the test run is killed, so no server is left behind. */
const DIES_WITH_US = ['setpriv', '--pdeathsig', 'INT']

export default function startTestServer(project: TestProject): Promise<() => Promise<void>> {
  const { CITUS_URL } = process.env
  return project.name === 'citus' && CITUS_URL ? prepareCitus(project, CITUS_URL) : startServer(project)
}

async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const directory = walkableDirectory('server')
  const cluster = await prepareCluster(path.join(directory, 'data'), () => {})
  const pristine = path.join(directory, 'pristine')
  execFileSync('cp', ['-a', cluster.dataDir, pristine])
  const via = spawnSync('setpriv', ['--version']).status === 0 ? DIES_WITH_US : []
  const server = launchPostmaster(cluster, { via, overrides: { ...FOR_SPEED, max_connections: '200' } })
  await until(() => answers(cluster.connection), `no test server, see ${cluster.logFile}`)

  await ensureRole(cluster.connection, asPortalRole(cluster.connection))
  await ensureDatabase(cluster.connection, TEMPLATE)
  await prepareDatabase({ ...cluster.connection, database: TEMPLATE }, { portalRole: PORTAL_ROLE })
  await ensureDatabase(cluster.connection, DEMO_TEMPLATE)
  const now = new Date()
  await fillDemo({ ...cluster.connection, database: DEMO_TEMPLATE }, now)
  project.provide('testServer', cluster.connection)
  project.provide('testNodes', [cluster.connection])
  project.provide('demoTemplate', DEMO_TEMPLATE)
  project.provide('demoMadeAt', now.toISOString())
  project.provide('templateDatabase', TEMPLATE)
  project.provide('pristineDataDir', pristine)
  return async () => {
    if (server.pid) await stopPostmaster(server.pid, console.error)
    fs.rmSync(directory, { recursive: true, force: true })
  }
}

/** Templates on every node: the first is sharded while it is empty, the other with the demo data in it. */
async function prepareCitus(project: TestProject, url: string): Promise<() => Promise<void>> {
  const nodes = await citusNodes(url)
  const [coordinator] = nodes
  const now = new Date()
  for (const node of nodes) await ensureRole(node, asPortalRole(node))
  await makeCitusDatabase(nodes, TEMPLATE)
  await prepareDatabase({ ...coordinator, database: TEMPLATE }, { portalRole: PORTAL_ROLE })
  await makeCitusDatabase(nodes, DEMO_TEMPLATE)
  await fillDemo({ ...coordinator!, database: DEMO_TEMPLATE }, now)
  for (const database of [TEMPLATE, DEMO_TEMPLATE]) {
    await shardDatabase({ ...coordinator, database })
    await closeToOthers(nodes, database)
  }
  project.provide('testServer', coordinator!)
  project.provide('testNodes', nodes)
  project.provide('demoTemplate', DEMO_TEMPLATE)
  project.provide('demoMadeAt', now.toISOString())
  project.provide('templateDatabase', TEMPLATE)
  return async () => {}
}

async function fillDemo(connection: ConnectionSettings, now: Date): Promise<void> {
  await prepareDatabase(connection, { portalRole: PORTAL_ROLE })
  const portal = openDatabase(asPortalRole(connection))
  await loadDemo(portal.db, { now, usageTransactions: USAGE_IN_TESTS, progress: () => {} })
  // Every portal that starts on a copy would make these months again, which takes longer than the rest of its start.
  await ensureUsageMonths(portal.db, partitionsAround(now))
  await ensureLogMonths(portal.db, monthsAround(now))
  await portal.db.destroy()
  const owner = openDatabase(connection)
  // Copies have the statistics of their template; without them some lists take ten times as long.
  await sql`vacuum analyze`.execute(owner.db)
  await owner.db.destroy()
}
