import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import { startDatabaseProxy } from '#server/testing/load/database-proxy.ts'
import { atRandomTimes, describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'

/** A portal that reaches its database through a proxy, with writers. */
async function startBehindProxy() {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const proxy = await startDatabaseProxy(database.connection)
  onTestFinished(() => proxy.close())
  const portal = await startPortalProcess(database.connection, { DATABASE_URL: proxy.url })
  onTestFinished(() => portal.kill())
  return { database, proxy, run: await startWriters(database.db, portal.origin) }
}

const CUTS = 15

test('cut connections to the database lose nothing and double nothing', async () => {
  const { database, proxy, run } = await startBehindProxy()
  await atRandomTimes(CUTS, 1_500, async () => {
    await run.hasWritten(5)
    proxy.cut()
  })
  await run.hasWritten(20)
  const broken = await run.end(database.db)
  console.log(`${CUTS} cuts; ${describeRun(run.journal)}; longest pause ${run.journal.longestPause()} ms`)
  expect(broken).toEqual([])
  expect(run.journal.refused).toBeGreaterThan(0)
})
