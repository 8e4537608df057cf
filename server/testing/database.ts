import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import { asPortalRole, type ConnectionSettings } from '#server/embedded/cluster.ts'
import { until } from '#server/testing/until.ts'

/** Whether databases are sharded here. What tests the engine of a single database, such as its query plans, is left out then. */
export const onCitus = (): boolean => inject('testNodes').length > 1

const COPY_LOCK = 7_301_003
const OBJECT_IN_USE = '55006'

/** Tests work as the owner of the tables, portals as the role that owns nothing. */
export type TestDatabase = OwnConnection & { portal: Database & { connection: ConnectionSettings } }
/** A database that the portal owns, as where there is one role. */
export type OwnedDatabase = OwnConnection & { portal?: undefined }
type OwnConnection = Database & { connection: ConnectionSettings; close(): Promise<void> }

/** A separate, empty and migrated database, copied from the template of the global setup. */
export const freshDatabase = () => copyDatabase(inject('templateDatabase'))

/** A database with the demo data: copying it takes a fraction of the time of making it. */
export const demoDatabase = () => copyDatabase(inject('demoTemplate'))

async function copyDatabase(template: string): Promise<TestDatabase> {
  const connection = { ...inject('testServer'), database: `test_${randomBytes(6).toString('hex')}` }
  await administer(`create database ${connection.database} template ${template} strategy file_copy`)
  const { pool, db } = openDatabase({ ...connection, max: 4 })
  const portalConnection = asPortalRole(connection)
  const portal = openDatabase({ ...portalConnection, max: 4 })
  return {
    pool,
    db,
    connection,
    portal: { ...portal, connection: portalConnection },
    async close() {
      await db.destroy()
      // Kysely ends the pool only if it was used through it.
      if (!portal.pool.ended) await portal.pool.end()
      await until(() => isDropped(connection.database), `${connection.database} is still in use`)
    },
  }
}

/** PostgreSQL ends the connections of others and waits for that for five seconds, which a busy cluster can exceed. */
async function isDropped(database: string): Promise<boolean> {
  return administer(`drop database if exists ${database} with (force)`).then(
    () => true,
    (error: pg.DatabaseError) => {
      if (error.code === OBJECT_IN_USE) return false
      throw error
    },
  )
}

/** Workers queue on a lock, because a copy fails while anybody else has the template open. */
async function administer(statement: string): Promise<void> {
  for (const node of inject('testNodes')) {
    const client = new pg.Client(node)
    await client.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [COPY_LOCK])
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
}
