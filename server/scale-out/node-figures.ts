import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { isSharded, listNodes, type NodeFigure } from '#server/scale-out/shard.queries.ts'

const HELP: Readonly<Record<NodeFigure, string>> = {
  up: '1 where the coordinator reaches the node, else 0',
  disk_free_bytes: 'Free space on the disk of the node',
  disk_size_bytes: 'Size of the disk of the node',
  database_size_bytes: 'The part of the database on the node',
  connections: 'Connections to all databases of the node',
  prepared_transaction_seconds: 'Age of the oldest transaction that waits for its second phase',
}

/** Less than the patience of a scrape: the other nodes are still told while one is gone. */
const CONNECT_TIMEOUT = '1s'

/** The nodes of a sharded database for the metrics, all series of a scrape with one query. */
export function nodeFigures() {
  let reading: ReturnType<typeof listNodes> | undefined
  const nodes = (db: Kysely<DB>) => {
    reading ??= readNodes(db).finally(() => {
      reading = undefined
    })
    return reading
  }
  return (Object.keys(HELP) as NodeFigure[]).map((figure) => ({
    name: `portal_node_${figure}`,
    help: HELP[figure],
    read: async (db: Kysely<DB>) =>
      (await nodes(db)).flatMap(({ node, figures: { [figure]: count } }) =>
        count === undefined ? [] : [{ node, count }],
      ),
  }))
}

const readNodes = (db: Kysely<DB>) =>
  db.transaction().execute(async (tx) => {
    if (!(await isSharded(tx))) return []
    await sql`select set_config('citus.node_connection_timeout', ${CONNECT_TIMEOUT}, true)`.execute(tx)
    return listNodes(tx)
  })
