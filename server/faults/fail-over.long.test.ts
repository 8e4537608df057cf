import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { startDatabaseProxy } from '#server/testing/load/database-proxy.ts'
import { describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { makeStandby, openPortalDatabase, ownCluster, REPLICATED } from '#server/testing/load/own-cluster.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { limit } from '#server/testing/slowness.ts'
import { until } from '#server/testing/until.ts'
import { usedDataDirectory } from '#server/testing/walkable-directory.ts'

/** Milliseconds from the promotion to the first write. */
const LIMIT = limit(5_000)

test('after the primary is killed, a synchronous standby takes over with everything, and writing goes on within 5 seconds', async () => {
  const primaryDir = usedDataDirectory('primary')
  // A commit is acknowledged when the standby has it as well: without this, a fail-over loses the last writes.
  const primary = await ownCluster(primaryDir, REPLICATED)
  await primary.start()
  await openPortalDatabase(primary.connection)
  const standbyDir = path.join(path.dirname(usedDataDirectory('standby')), 'copy')
  const standby = await makeStandby(primaryDir, primary.connection, standbyDir)
  await standby.start()
  const admin = new pg.Client(primary.connection)
  admin.on('error', () => {})
  await admin.connect()
  const isFollowing = async () => {
    const { rows } = await admin.query(`select from pg_stat_replication where state = 'streaming'`)
    return rows.length > 0
  }
  await until(isFollowing, 'the standby does not follow')
  await admin.query(`alter system set synchronous_standby_names = 'standby'`)
  await admin.query('select pg_reload_conf()')
  const isSynchronous = async () => {
    const { rows } = await admin.query(`select from pg_stat_replication where sync_state = 'sync'`)
    return rows.length > 0
  }
  await until(isSynchronous, 'the standby is not synchronous')

  const proxy = await startDatabaseProxy(primary.connection)
  onTestFinished(() => proxy.close())
  const portal = await startPortalProcess(primary.connection, { DATABASE_URL: proxy.url })
  onTestFinished(() => portal.kill())
  const { db } = openDatabase({ ...primary.connection, max: 2 })
  const run = await startWriters(db, portal.origin)
  await run.hasWritten(100)
  await primary.kill()
  await db.destroy()

  const operator = new pg.Client(standby.connection)
  await operator.connect()
  const promoted = Date.now()
  await operator.query('select pg_promote()')
  proxy.leadTo(standby.connection)
  await operator.end()
  await run.hasWritten(100)
  const after = openDatabase({ ...standby.connection, max: 2 })
  onTestFinished(() => after.db.destroy())
  const broken = await run.end(after.db)
  const first = run.journal.firstAfter(promoted)
  console.log(`fail-over; ${describeRun(run.journal)}; first write ${first} ms after the promotion was asked for`)
  expect(broken).toEqual([])
  expect(first).toBeLessThan(LIMIT)
})
