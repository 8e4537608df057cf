import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ServerUnderTest } from '#bench/kit/child-server.ts'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { median, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { load, percentile } from '#bench/kit/http-load.ts'
import { LARGEST, MONTH } from '#bench/usage/dataset.ts'
import { PAGE, within } from '#bench/usage/page-request.ts'
import { callPortal } from '#bench/usage/portal-client.ts'

const ROWS = 30_000
const ROUNDS = 5
const MEGABYTE = 2 ** 20
/** What other people do meanwhile. */
const OTHERS = { connections: 2, seconds: 2 }

/** A CSV of 30,000 rows against COPY of the same rows, what it costs the server, and what the others notice of it. */
export async function measureExport(
  database: OpenedDatabase,
  portal: ServerUnderTest,
  cookie: string,
  say: (line: string) => void,
): Promise<string> {
  const from = await startOfNewest(database)
  const filter = within({ from, to: MONTH.to })
  const { data: rows } = await callPortal<{ data: number }>(portal, cookie, '/api/fetchUsage/count', {
    customerNumber: LARGEST,
    filter,
  })
  const ours: number[] = []
  const copies: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    copies.push(await timed(() => copyOut(database, from)))
    ours.push(await timed(() => exportCsv(portal, cookie, filter)))
  }
  const memory = await memoryRise(portal, () => exportCsv(portal, cookie, filter))
  const target = { port: portal.port, path: '/api/fetchUsage', body: PAGE, cookies: [cookie] }
  const alone: number[] = []
  const meanwhile: number[] = []
  let made = 0
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(percentile((await load(target, OTHERS)).latencies, 0.95))
    const stop = new AbortController()
    const exports = exportUntil(stop.signal, portal, cookie, filter)
    meanwhile.push(percentile((await load(target, OTHERS)).latencies, 0.95))
    stop.abort()
    made += await exports
  }

  const [own, copy] = [median(ours), median(copies)]
  const [p95Alone, p95Meanwhile] = [median(alone), median(meanwhile)]
  const cells = [
    [
      `COPY … TO STDOUT, ${rows.toLocaleString('en')} rows`,
      milliseconds(copy),
      `${((rows / copy) * 1000).toFixed(0)} rows/s`,
      '',
    ],
    [
      'CSV export, whole request',
      milliseconds(own),
      `${((rows / own) * 1000).toFixed(0)} rows/s`,
      `${ratio(copy / own)} of COPY’s rate, at least 0.5×: ${verdict(copy / own >= 0.5)}`,
    ],
    [
      'resident memory during the export',
      `+${(memory / MEGABYTE).toFixed(1)} MB`,
      '',
      `under 40 MB: ${verdict(memory < 40 * MEGABYTE)}`,
    ],
    [
      'p95 of other pages, without → during exports',
      `${milliseconds(p95Alone)} → ${milliseconds(p95Meanwhile)}`,
      `${made} exports in ${ROUNDS * OTHERS.seconds} s meanwhile`,
      `not doubled: ${verdict(p95Meanwhile < 2 * p95Alone)}`,
    ],
  ]
  for (const row of cells) say(`  ${row.join(' · ')}`)
  return `${table(['', '', '', 'target'], cells)}\n\nMedian of ${ROUNDS} interleaved runs; the others ask for pages of 20 over ${OTHERS.connections} connections, one export after the other meanwhile.`
}

/** The instant from which on the largest customer has 30,000 transactions. */
export async function startOfNewest({ pool }: OpenedDatabase): Promise<string> {
  const { rows } = await pool.query<{ ends_at: Date }>(
    'select ends_at from usage_transaction where customer_number = $1 and ends_at < $2 order by ends_at desc offset $3 limit 1',
    [LARGEST, MONTH.to, ROWS],
  )
  if (!rows[0]) throw new Error(`the largest customer has fewer than ${ROWS} transactions`)
  return rows[0].ends_at.toISOString()
}

/** The driver reads what COPY sends and drops it: as fast as rows can leave the database. */
async function copyOut({ connection }: OpenedDatabase, from: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(`copy (
      select started_at, ends_at, product, product_count, hours, charge, currency, user_name, host, project, session_id,
             session_status, external_ip, product_version, cloud_job_id
        from usage_transaction
       where customer_number = ${client.escapeLiteral(LARGEST)} and ends_at > ${client.escapeLiteral(from)}
         and started_at < ${client.escapeLiteral(MONTH.to)}
       order by started_at desc, transaction_number desc) to stdout (format csv)`)
  } finally {
    await client.end()
  }
}

export async function exportCsv(portal: ServerUnderTest, cookie: string, filter: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${portal.port}/api/fetchUsage/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ customerNumber: LARGEST, filter }),
  })
  if (!answer.headers.get('content-type')?.startsWith('text/csv')) throw new Error(await answer.text())
  for await (const _piece of answer.body ?? []);
}

async function exportUntil(
  signal: AbortSignal,
  portal: ServerUnderTest,
  cookie: string,
  filter: object,
): Promise<number> {
  let made = 0
  for (; !signal.aborted; made++) await exportCsv(portal, cookie, filter)
  return made
}

async function memoryRise(portal: ServerUnderTest, run: () => Promise<void>): Promise<number> {
  const before = (await portal.usage()).rss
  let highest = before
  let isRunning = true
  const watched = (async () => {
    while (isRunning) {
      highest = Math.max(highest, (await portal.usage()).rss)
      await sleep(10)
    }
  })()
  await run()
  isRunning = false
  await watched
  return highest - before
}

async function timed(run: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}
