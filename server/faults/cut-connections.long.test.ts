import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import { startDatabaseProxy } from '#server/testing/load/database-proxy.ts'
import { atRandomTimes, describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'

/** A portal that reaches its database through a proxy, with writers. */
async function startBehindProxy() {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const proxy = await startDatabaseProxy(database.connection)
  onTestFinished(() => proxy.close())
  const portal = await startPortalProcess(database.connection, { DATABASE_URL: proxy.url })
  onTestFinished(() => portal.kill())
  return { database, proxy, portal, run: await startWriters(database.db, portal.origin) }
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

/** Longer than the portal waits for any statement. */
const FROZEN = 20_000

test('a network that drops everything for 20 seconds is answered with 503, and writing goes on afterwards', async () => {
  const { database, proxy, portal, run } = await startBehindProxy()
  await run.hasWritten(30)
  proxy.stall()
  await sleep(FROZEN)
  const ready = await fetch(`${portal.origin}/readyz`)
  expect(ready.status).toBe(503)
  const resumed = Date.now()
  proxy.resume()
  await run.hasWritten(30)
  const broken = await run.end(database.db)
  console.log(
    `20 s frozen; ${describeRun(run.journal)}; first write ${run.journal.firstAfter(resumed)} ms after the end`,
  )
  expect(broken).toEqual([])
})

test('writes that use up the connections leave sign-in, pages and readiness alone, and go on when the lock is gone', async () => {
  const { database, portal, run } = await startBehindProxy()
  await run.hasWritten(30)
  const holder = new pg.Client(database.connection)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table idempotent_answer in access exclusive mode')
  const waiting = async () => {
    const { rows } = await holder.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rows[0]?.n ?? 0) > 0
  }
  await until(waiting, 'no write waits')
  const begun = performance.now()
  for (const path of ['/readyz', '/healthz', '/api/environment'])
    expect((await fetch(portal.origin + path)).status, path).toBe(200)
  const took = performance.now() - begun
  // Longer than a statement may take: the waiting writes are refused, and their clients try again.
  await sleep(FROZEN)
  await holder.query('rollback')
  const released = Date.now()
  await run.hasWritten(30)
  const broken = await run.end(database.db)
  console.log(
    `20 s locked; ${describeRun(run.journal)}; other calls ${took.toFixed(0)} ms; first write ${run.journal.firstAfter(released)} ms after the end`,
  )
  expect(broken).toEqual([])
})
