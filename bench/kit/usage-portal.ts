import { startCluster } from '#bench/kit/database.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { busyness } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { ensureUsage } from '#bench/usage/dataset.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { usage } from '#server/demo/parts/usage.demo.ts'
import { systemClock } from '#server/doors/clock.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const isTrial = process.argv.includes('trial')

/**
 * The portal with ten million usage transactions and the demo accounts, and a person of business operations. Works on the
 * data of `npm run bench`, which it makes if need be. With `trial`, it takes one million and keeps no results.
 */
export async function openUsagePortal() {
  const cluster = await startCluster(say)
  const database = await cluster.open(isTrial ? 'bench_1m' : 'bench_10m')
  const transactions = isTrial ? 1_000_000 : 10_000_000
  await ensureUsage(database, transactions, say)
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

  async function call({ path, method }: Operation, body?: object): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { cookie, 'x-requested-with': 'portal', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!text.startsWith('{"status":"SUCCESS"')) throw new Error(`${path}: ${text.slice(0, 300)}`)
  }

  return {
    db: database.db,
    call,
    transactions: transactions.toLocaleString('en'),
    largest: (transactions / 10).toLocaleString('en'),
    /** Prints a section, with how busy the machine is, and puts it into the results. */
    report(heading: string, section: string): void {
      const told = `${section} Load average ${busyness().toFixed(1)}.`
      say(told)
      if (!isTrial) saveResults({ sections: [[heading, told]] })
    },
    /** Median and 95th percentile of `runs` calls, after three that are not counted; in milliseconds. */
    async timesOf(runs: number, run: () => Promise<void>): Promise<{ median: number; p95: number }> {
      const times: number[] = []
      for (let at = -3; at < runs; at++) {
        const from = performance.now()
        await run()
        if (at >= 0) times.push(performance.now() - from)
      }
      times.sort((one, other) => one - other)
      return { median: times[Math.floor(runs / 2)] ?? 0, p95: times[Math.floor(runs * 0.95)] ?? 0 }
    },
    async close(): Promise<void> {
      await app.close()
      await cluster.embedded.stop()
    },
  }
}
