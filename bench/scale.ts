import { startServer } from '#bench/kit/child-server.ts'
import { type OpenedDatabase, startCluster } from '#bench/kit/database.ts'
import { median, medianTimes, milliseconds, ratio, table } from '#bench/kit/figures.ts'
import { busyness, describeMachine } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { ensureUsage, LARGEST, MONTH, READER } from '#bench/usage/dataset.ts'
import { exportCsv, startOfNewest } from '#bench/usage/export.ts'
import { within } from '#bench/usage/page-request.ts'
import { callPortal } from '#bench/usage/portal-client.ts'
import { CONTAINS, QUESTIONS, RANGES } from '#bench/usage/queries.ts'
import { getChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement } from '#contract/elastic/statements/statements.ts'

/*
 * Compares reads at 10 million usage transactions with reads at 100 million, in turns. `node bench/scale.ts 24` makes all 24 months in
 * .data-bench, which needs 150 GB; with fewer, the newest months are made, each as large as it is among all. A run that was
 * interrupted goes on with the months that are missing.
 */
const months = Number(process.argv[2] ?? 24)
const say = (line: string) => process.stdout.write(`${line}\n`)
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }

const cluster = await startCluster(say)
try {
  const small = await opened('bench_10m', 10_000_000)
  const large = await opened('bench_100m', 100_000_000)
  saveResults({ sections: [['Usage at 100 million rows', await measure(small, large)]] })
  await small.server.stop()
  await large.server.stop()
} finally {
  await cluster.embedded.stop()
}
process.exit(0)

type Side = Awaited<ReturnType<typeof opened>>

async function opened(name: string, rows: number) {
  const database = await cluster.open(name)
  await ensureUsage(database, rows, say, months)
  // What is measured is a server that has run for a while.
  await database.pool.query('select count(hours) from usage_transaction where customer_number = $1', [LARGEST])
  const server = await startServer(name, 'usage/portal-server.ts', {
    connection: database.connection,
    dataDir: '.data-bench/portal',
  })
  const cookie = await signedIn(database, READER)
  const call = (path: string, body: object) => callPortal(server, cookie, path, { customerNumber: LARGEST, ...body })
  for (let at = 0; at < 100; at++) await call('/api/fetchUsage', { filter: within(MONTH), limit: 20 })
  return { database, server, cookie, call }
}

async function measure(small: Side, large: Side): Promise<string> {
  const began = busyness()
  const rows: string[][] = []
  const growths: number[] = []
  /** The portal and, where there is one, the plain statement, on both. */
  async function compare(
    what: string,
    portal: (side: Side) => Promise<unknown>,
    plain?: (side: Side) => Promise<unknown>,
  ): Promise<void> {
    const runs = [portal, ...(plain ? [plain] : [])].flatMap((run) => [() => run(small), () => run(large)])
    const [ofSmall = 0, ofLarge = 0, plainSmall, plainLarge] = await medianTimes(runs)
    const cell = (time: number, floor: number | undefined) =>
      floor === undefined ? milliseconds(time) : `${milliseconds(time)} / ${milliseconds(floor)}`
    growths.push(ofLarge / ofSmall)
    rows.push([what, cell(ofSmall, plainSmall), cell(ofLarge, plainLarge), ratio(ofLarge / ofSmall)])
    say(`  ${rows.at(-1)?.join(' · ')}`)
  }
  for (const question of QUESTIONS)
    for (const [name, range] of Object.entries(RANGES)) {
      const filter = within(range, ...(question.contains ? [CONTAINS] : []))
      await compare(
        `${question.what}, ${name}`,
        ({ call }) => call(`/api/fetchUsage${question.path}`, { ...question.body, filter }),
        ({ database }) => database.pool.query(question.plain, [LARGEST, range.from, range.to]),
      )
    }
  const newest = new Map<Side, object>()
  for (const side of [small, large])
    newest.set(side, within({ from: await startOfNewest(side.database), to: MONTH.to }))
  await compare('CSV export of the newest 30,000', (side) =>
    exportCsv(side.server, side.cookie, newest.get(side) ?? {}),
  )
  await compare('statement of a month', ({ call }) => call(getStatement.path, OCTOBER))
  for (const by of ['user', 'project', 'host', 'product'])
    await compare(`chargeback by ${by}, a month`, ({ call }) => call(getChargeback.path, { ...OCTOBER, by }))
  return [
    `${await describeMachine(large.database)}. The newest ${months} of 24 months of each: ${await sizeOf(small.database)} and ${await sizeOf(large.database)}. The largest customer has a tenth.`,
    '',
    table(
      [
        'largest customer',
        '10 million: portal / plain SQL',
        '100 million: portal / plain SQL',
        'portal, 100 against 10',
      ],
      rows,
    ),
    '',
    `Median of 7 calls each, in turns on both; whole requests of the portal, and the plain statement sent by the driver. Median of the last column ${ratio(median(growths))}. Load average before and after: ${began.toFixed(1)} and ${busyness().toFixed(1)}.`,
  ].join('\n')
}

async function sizeOf({ pool }: OpenedDatabase): Promise<string> {
  const { rows } = await pool.query<{ count: string; bytes: string }>(
    'select (select count(*) from usage_transaction) as count, pg_database_size(current_database()) as bytes',
  )
  const { count = 0, bytes = 0 } = rows[0] ?? {}
  return `${Number(count).toLocaleString('en')} rows in ${(Number(bytes) / 1e9).toFixed(1)} GB`
}
