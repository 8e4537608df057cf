import { startCluster } from '#bench/kit/database.ts'
import { milliseconds, table, verdict } from '#bench/kit/figures.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { ensureUsage, LARGEST } from '#bench/usage/dataset.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { usage } from '#server/demo/usage.demo.ts'
import { systemClock } from '#server/doors/clock.ts'
import { rememberCallers } from '#server/session/remembered-callers.ts'

/*
 * Home with ten million usage transactions in the database: of the demo account, of the account with the most usage, and
 * over all accounts. Works on the data of `npm run bench`, which it makes if need be. Replaces its section of the results.
 */
const HEADING = 'Home'
const RUNS = 40
const MOST = 200
const say = (line: string) => process.stdout.write(`${line}\n`)

const cluster = await startCluster(say)
try {
  const database = await cluster.open('bench_10m')
  await ensureUsage(database, 10_000_000, say)
  const now = systemClock.now()
  // The usage is here already.
  await database.db
    .insertInto('demo_part')
    .values({ name: usage.name, loaded_at: now, made_for: dayIn('UTC', now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await loadDemo(database.db, { now, usageTransactions: 0, progress: () => {} })
  await database.pool.query('analyze')
  const cookie = await signedIn(database, 'bench@vendor.example', ['busops'])
  const port = await freePort()
  const config = readConfig({
    PORT: String(port),
    RATE_LIMIT: '1000000000',
    LOG_LEVEL: 'silent',
    DATA_DIR: '.data-bench/portal',
  })
  const app = await buildApp({ ...database, config, clock: systemClock, people: [], callers: rememberCallers })
  await app.listen({ port, host: '127.0.0.1' })

  const call = async ({ path, method }: Operation, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { cookie, 'x-requested-with': 'portal', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!text.startsWith('{"status":"SUCCESS"')) throw new Error(`${path}: ${text.slice(0, 300)}`)
  }
  const rows: string[][] = []
  for (const [what, run] of [
    ['the demo account, 100001', () => call(getAccountHome, { customerNumber: '100001' })],
    ['the account with 1,000,000 transactions', () => call(getAccountHome, { customerNumber: LARGEST })],
    ['all accounts, for staff', () => call(getAccountsHome)],
  ] as const) {
    const times: number[] = []
    for (let at = -3; at < RUNS; at++) {
      const from = performance.now()
      await run()
      if (at >= 0) times.push(performance.now() - from)
    }
    times.sort((one, other) => one - other)
    const p95 = times[Math.floor(RUNS * 0.95)] ?? 0
    rows.push([what, milliseconds(times[RUNS / 2] ?? 0), milliseconds(p95), `under ${MOST} ms: ${verdict(p95 < MOST)}`])
  }
  const section = `${table(['Home of', 'median', 'p95', 'target'], rows)}

Whole requests of business operations, ${RUNS} each, with 10,000,000 usage transactions in the database.`
  saveResults({ sections: [[HEADING, section]] })
  say(section)
  await app.close()
} finally {
  await cluster.embedded.stop()
}
process.exit(0)
