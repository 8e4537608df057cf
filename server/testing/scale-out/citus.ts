import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'
import { shard } from '#server/scale-out/shard.ts'
import type { OwnedDatabase } from '#server/testing/database.ts'

/** Few: each month of usage has an index for every column on every shard. */
const SHARDS = 4

/** The nodes of the cluster at `CITUS_URL`, the coordinator first. */
export async function citusNodes(url: string): Promise<ConnectionSettings[]> {
  const { hostname, port, username, password } = new URL(url)
  const coordinator = {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: 'postgres',
  }
  const { rows } = await query<{ host: string; port: number }>(
    { connectionString: url },
    `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary'`,
  )
  return [coordinator, ...rows.map((worker) => ({ ...coordinator, ...worker }))]
}

/** An empty database on every node, which knows the others. */
export async function makeCitusDatabase(nodes: readonly ConnectionSettings[], database: string): Promise<void> {
  const [coordinator, ...workers] = nodes
  await dropCitusDatabase(nodes, database)
  for (const node of nodes) {
    await query(node, `create database ${database}`)
    await query({ ...node, database }, 'create extension citus')
  }
  const at = { ...coordinator!, database }
  await query(at, 'select citus_set_coordinator_host($1, $2)', [at.host, at.port])
  for (const { host, port } of workers) await query(at, 'select citus_add_node($1, $2)', [host, port])
}

/** The demo data on the coordinator, before it is sharded. */
export async function filledCitusDatabase(url: string): Promise<OwnedDatabase> {
  const nodes = await citusNodes(url)
  const database = `shard_${randomBytes(6).toString('hex')}`
  await makeCitusDatabase(nodes, database)
  const connection = { ...nodes[0]!, database }
  await migrate(connection)
  const { db, pool } = openDatabase({ ...connection, max: 4 })
  await loadDemo(db, { now: new Date(), usageTransactions: 500, progress: () => {} })
  return {
    db,
    pool,
    connection,
    async close() {
      await db.destroy()
      await dropCitusDatabase(nodes, database)
    },
  }
}

export async function dropCitusDatabase(nodes: readonly ConnectionSettings[], database: string): Promise<void> {
  for (const node of nodes) await query(node, `drop database if exists ${database} with (force)`)
}

export async function shardDatabase(connection: pg.PoolConfig): Promise<void> {
  const { db } = openDatabase({ ...connection, max: 1 })
  await shard(db, SHARDS, () => {})
  await db.destroy()
}

/** Nobody may be connected to a database that is copied, and Citus itself is. */
export async function closeToOthers(nodes: readonly ConnectionSettings[], database: string): Promise<void> {
  for (const node of nodes) {
    await query(node, `alter database ${database} with allow_connections false`)
    await query(node, 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [database])
  }
}

async function query<R extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<R>> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query<R>(text, values)
  } finally {
    await client.end()
  }
}
