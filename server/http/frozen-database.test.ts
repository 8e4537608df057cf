import { expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { startEmbedded } from '#server/embedded/supervisor.ts'
import { ORIGIN, signIn } from '#server/testing/portal.ts'
import { limit } from '#server/testing/slowness.ts'
import { until } from '#server/testing/until.ts'
import { usedDataDirectory } from '#server/testing/walkable-directory.ts'

/** In milliseconds, instead of the usual 15 and 10 seconds: what PostgreSQL lets a statement run, and the wait for a connection. */
const STATEMENT_TIMEOUT = 1_000
const CONNECTION_TIMEOUT = 2_000

/** A portal with a separate database server, which can be frozen without harm to other tests. */
async function startPortal() {
  const dataDir = usedDataDirectory('frozen')
  const embedded = await startEmbedded(dataDir, () => {})
  await ensureDatabase(embedded.connection, 'portal')
  const connection = { ...embedded.connection, database: 'portal' }
  await migrate(connection)
  const database = openDatabase({
    ...connection,
    statement_timeout: STATEMENT_TIMEOUT,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
  })
  const config = readConfig({ PUBLIC_URL: ORIGIN, LOG_LEVEL: 'silent', DATA_DIR: dataDir })
  const app = await buildApp({
    ...database,
    config,
    clock: systemClock,
    people: SIGN_IN_PEOPLE,
    background: [],
    tasks: [],
  })
  await app.ready()
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }
  const freeze = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type <> 'autovacuum worker'`,
    )
    frozen = [postmasterPid(embedded.where)!, ...rows.map(({ pid }) => pid)]
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  }
  onTestFinished(async () => {
    thaw()
    await app.close()
    await database.db.destroy()
    await embedded.stop()
  })
  return { app, ...database, freeze, thaw }
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; took: number }> {
  const begun = performance.now()
  return { value: await work, took: performance.now() - begun }
}

test('a portal whose database is frozen says so in bounded time, and works again when the database does', async () => {
  const { app, db, freeze, thaw } = await startPortal()
  const cookie = await signIn(app, 'ada.admin@aerodyne.example')
  const call = () => app.inject({ url: getUserDetails.path, headers: { cookie } })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  expect((await call()).statusCode).toBe(200)
  const before = Promise.withResolvers<unknown>()
  const long = db
    .transaction()
    .execute(async (tx) => {
      await allowLongWork(tx)
      before.resolve(undefined)
      await tx.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.val(STATEMENT_TIMEOUT / 1000 + 3)]).as('slept')).execute()
      return 'done'
    })
    .catch((error: Error) => error.message)
  await before.promise
  const commits = async () =>
    Number(/^portal_database_commits_total (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1])
  const committed = await commits()
  expect(committed).toBeGreaterThan(0)

  await freeze()
  // More at once than there are connections.
  const calls = Array.from({ length: 12 }, () => timed(call()))
  for (let i = 0; i < 3; i++) {
    const { value, took } = await timed(app.inject('/readyz'))
    expect(value.statusCode).toBe(503)
    expect(value.json()).toMatchObject({ code: 'UNAVAILABLE' })
    expect(took).toBeLessThan(limit(2_000))
  }
  const { value: metrics, took } = await timed(app.inject('/metrics'))
  expect(metrics.body).toContain('process_resident_memory_bytes')
  // A counter never decreases.
  expect(metrics.body).toContain(`portal_database_commits_total ${committed}\n`)
  expect(took).toBeLessThan(limit(4_000))
  for (const { value, took } of await Promise.all(calls)) {
    expect(value.statusCode).toBe(503)
    // Waits for a connection at most, and then for its statement.
    expect(took).toBeLessThan(CONNECTION_TIMEOUT + STATEMENT_TIMEOUT + limit(4_000))
  }

  thaw()
  await until(async () => (await app.inject('/readyz')).statusCode === 200, 'the portal never became ready again')
  expect(await Promise.all(Array.from({ length: 12 }, async () => (await call()).statusCode))).toEqual(
    Array(12).fill(200),
  )
  expect(await commits()).toBeGreaterThanOrEqual(committed)
  expect(await long, 'work without a limit').toBe('done')
})
