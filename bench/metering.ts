import http from 'node:http'
import { availableParallelism } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { type ServerUnderTest, startServer } from '#bench/kit/child-server.ts'
import { type BenchCluster, type OpenedDatabase, startCluster } from '#bench/kit/database.ts'
import { median, medianTimes, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { connectLean, type LeanClient } from '#bench/kit/lean-client.ts'
import { busyness, databaseCpu } from '#bench/kit/machine.ts'
import { saveResults } from '#bench/kit/results.ts'
import { insertAccounts } from '#bench/usage/dataset.ts'
import { openDatabase } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import type { World } from '#server/demo/demo-part.ts'
import { CURRENT_RATES, catalog } from '#server/demo/parts/catalog.demo.ts'
import { seededRandom } from '#server/demo/random.ts'
import { ELASTIC_PRODUCTS } from '#server/demo/usage-sessions.ts'
import { insertServiceKey } from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'
import { savePin } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { listLimits, saveLimits } from '#server/modules/elastic/limits/limits.queries.ts'
import { USAGE_COLUMNS } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

/*
 * Metering: usage batches over HTTP against COPY of the same rows into the same table, and the start of a session against
 * a commit of one row. `node bench/metering.ts` prints the results and keeps them in RESULTS.md; with `trial` it only prints. `ingest` or `start` measures one of the two.
 */
const isTrial = process.argv.includes('trial')
const ROWS = isTrial ? 20_000 : 60_000
const ROUNDS = isTrial ? 2 : 3
const BATCH = 5_000
/**
 * Batches of different accounts are booked at the same time, so each stream has its own accounts. Batches of one key
 * take turns, so each stream also has its own key.
 */
const STREAMS = 3
const CUSTOMERS = 200
/** As dense as the ten million transactions of `npm run bench`: about 70 a day for each account. */
const DAYS = isTrial ? 2 : 5
/** A portal that has just started runs code that is not compiled yet. */
const WARM_UP = 1_000
/** Clients that start sessions one after the other, for the rate of starts. */
const CLIENTS = 8
const RATE_SECONDS = isTrial ? 2 : 5
/** What a start may take, in bare commits, and how many a machine with two processors must do in a second. */
const MAX_COMMITS = 5
const LEAST_STARTS = 600
const WARM_UP_ROWS = 15_000
const TEMPLATE = 'bench_metering'
const TARGET = 'bench_metering_run'
const PIN = '482913'
const OPEN_MONTH = { period: 'month', from: null, to: null } as const
const COLUMNS = sql.raw(USAGE_COLUMNS.join(', '))
const HOUR = 3_600_000
const say = (line: string) => process.stdout.write(`${line}\n`)
const now = Date.now()
const serviceKeys = Array.from({ length: STREAMS }, createServiceKey)
const bearer = (stream = 0) => `Bearer ${serviceKeys[stream]?.key}`
const customerNumber = (at: number) => String(300_001 + at)
const serverOf = (at: number) => `cls-bench-${customerNumber(at)}`

const cluster = await startCluster(say)
try {
  const template = await makeTemplate(cluster)
  const only = ['ingest', 'start'].find((part) => process.argv.includes(part))
  const sections: [heading: string, text: string][] = []
  if (only !== 'ingest') sections.push(['Start of a session', await measureStart(template)])
  if (only !== 'start') sections.push(['Usage over HTTP', await measureIngest(template, makeBatches('tx', ROWS))])
  for (const [, text] of sections) say(text)
  if (!isTrial) saveResults({ sections })
} finally {
  await cluster.embedded.stop()
}
process.exit(0)

/** Closed before it is copied; the connection that is kept leads to the cluster's own database. */
async function makeTemplate({ open }: BenchCluster): Promise<OpenedDatabase> {
  const admin = await open('bench_metering_admin')
  await sql`drop database if exists ${sql.id(TARGET)} with (force)`.execute(admin.db)
  await sql`drop database if exists ${sql.id(TEMPLATE)} with (force)`.execute(admin.db)
  const template = await open(TEMPLATE)
  await insertAccounts(template)
  await sql`update entitlement set rate_table_version = ${CURRENT_RATES}, currency = 'AEU'`.execute(template.db)
  await template.db.transaction().execute(async (tx) => {
    await catalog.load(tx, {} as World)
    for (let at = 0; at < CUSTOMERS; at++) {
      const server = { customerNumber: customerNumber(at), deviceId: serverOf(at) }
      await savePin(tx, UNWRAPPED, server, PIN, { email: 'bench', at: new Date() })
    }
    const expiresAt = new Date(now + 24 * HOUR)
    for (const [at, key] of serviceKeys.entries()) {
      const about = { name: `bench ${at}`, scopes: ['usage', 'sessions'] as const, createdBy: 'bench' }
      await insertServiceKey(tx, { ...key, ...about, createdAt: new Date(), expiresAt })
    }
  })
  await sql`select ensure_usage_partitions(${new Date(now - 40 * 24 * HOUR)}, ${new Date(now + 24 * HOUR)})`.execute(
    template.db,
  )
  await sql`create table bench_commit (n bigint generated always as identity primary key, at timestamptz not null)`.execute(
    template.db,
  )
  await template.db.destroy()
  return admin
}

/** Bodies of calls by stream: transactions of the last days in about the order of their ends. */
function makeBatches(name: string, rows: number): Buffer[][] {
  const random = seededRandom(`bench metering ${name}`)
  return Array.from({ length: STREAMS }, (_, stream) => {
    const count = Math.floor(rows / STREAMS)
    const transactions = Array.from({ length: count }, (_unused, at) => {
      const customer = customerNumber(
        stream + STREAMS * Math.floor(random.fraction() * Math.floor(CUSTOMERS / STREAMS)),
      )
      const ended = now - DAYS * 24 * HOUR + (at / count) * (DAYS - 1) * 24 * HOUR
      const person = Math.floor(random.fraction() * 40)
      return {
        id: `${name}-${stream}-${String(at).padStart(7, '0')}`,
        serverId: `cls-bench-${customer}`,
        product: ELASTIC_PRODUCTS[Math.floor(random.fraction() * ELASTIC_PRODUCTS.length)]?.name,
        productCount: 1 + Math.floor(random.fraction() * 4),
        username: `user-${person}`,
        host: `ws-${person * 2 + Math.floor(random.fraction() * 2)}`,
        startTime: new Date(ended - random.fraction() * 9 * HOUR).toISOString(),
        endTime: new Date(ended).toISOString(),
        project: random.fraction() < 0.7 ? `project-${Math.floor(random.fraction() * 12)}` : undefined,
        version: '2026 R1',
      }
    })
    return Array.from({ length: Math.ceil(count / BATCH) }, (_unused, at) =>
      Buffer.from(JSON.stringify({ transactions: transactions.slice(at * BATCH, (at + 1) * BATCH) })),
    )
  })
}

/** In milliseconds; `portal` is the part of the processor time that the portal itself has used. */
type Taken = { time: number; cpu: number; portal: number }

async function measureIngest(admin: OpenedDatabase, batches: Buffer[][]): Promise<string> {
  const began = busyness()
  const file = await bookOnce(admin, batches)
  const warmUp = makeBatches('warm-up', WARM_UP_ROWS)
  const copy = (prepare?: (db: Kysely<DB>) => Promise<unknown>) => (target: OpenedDatabase) =>
    measured(
      target,
      async () => {
        await prepare?.(target.db)
        await sql`checkpoint`.execute(target.db)
      },
      () => sql`copy usage_transaction (${COLUMNS}) from ${sql.lit(file)}`.execute(target.db),
    )
  const ways: [name: string, run: (target: OpenedDatabase) => Promise<Taken>][] = [
    ['COPY, nothing booked', copy((db) => sql`alter table usage_transaction disable trigger user`.execute(db))],
    ['COPY, sums booked by the trigger', copy()],
    [
      'POST /service/v1/usage',
      (target) =>
        withPortal(target, async (portal) => {
          await sendAll(target, portal, warmUp)
          return sendAll(target, portal, batches)
        }),
    ],
  ]
  const taken = ways.map(() => [] as Taken[])
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, [name, run]] of ways.entries()) {
      const one = await onFreshCopy(admin, run)
      say(
        `  ${name}: ${(ROWS / one.time).toFixed(1)} rows/ms, ${((one.cpu / ROWS) * 1000).toFixed(0)} µs CPU per row, ${((one.portal / ROWS) * 1000).toFixed(0)} of it in the portal`,
      )
      taken[at]?.push(one)
    }
  const medians = taken.map((all) => ({
    time: median(all.map((one) => one.time)),
    cpu: median(all.map((one) => one.cpu)),
  }))
  const [plain, , ingest] = medians
  if (!plain || !ingest) throw new Error('nothing was measured')
  const cells = ways.map(([name], at) => {
    const { time, cpu } = medians[at] ?? plain
    const perCore = (ROWS / cpu) * 1000
    return [
      name,
      `${((ROWS / time) * 1000).toFixed(0)}/s`,
      `${((cpu / ROWS) * 1000).toFixed(0)} µs`,
      `${(perCore * 2).toFixed(0)}/s`,
      ratio(plain.time / time),
      ratio(plain.cpu / cpu),
    ]
  })
  const heads = ['', 'rate', 'CPU per row', 'two cores’ worth', 'rate against COPY', 'per CPU second against COPY']
  const against = Math.max(plain.time / ingest.time, plain.cpu / ingest.cpu)
  return `${table(heads, cells)}

${ROWS.toLocaleString('en')} transactions of ${CUSTOMERS} accounts over ${DAYS - 1} days, in batches of ${BATCH.toLocaleString('en')} over ${STREAMS} connections with a service key each; median of ${ROUNDS} interleaved runs, each on a fresh database; the portal has booked ${WARM_UP_ROWS.toLocaleString('en')} transactions before. CPU is that of PostgreSQL, portal and client together. “Two cores’ worth” is what two processors with nothing else to do would book. Target 0.5× COPY: ${verdict(against >= 0.5)}; target 10,000/s on two cores: ${verdict((ROWS / ingest.cpu) * 2000 >= 10_000)} by CPU time, ${verdict((ROWS / ingest.time) * 1000 >= 10_000)} by the clock. Load average before: ${began.toFixed(1)}.`
}

/** The rows as the portal books them, written to a file that COPY reads. */
function bookOnce(admin: OpenedDatabase, batches: Buffer[][]): Promise<string> {
  return onFreshCopy(admin, (target) =>
    withPortal(target, async (portal) => {
      await sendAll(target, portal, batches)
      const { rows } = await sql<{ file: string }>`
        select current_setting('data_directory') || '/bench-metering.copy' as file`.execute(target.db)
      const file = rows[0]?.file ?? ''
      await sql`copy (select ${COLUMNS} from usage_transaction order by ends_at, session_id) to ${sql.lit(file)}`.execute(
        target.db,
      )
      return file
    }),
  )
}

async function onFreshCopy<T>(admin: OpenedDatabase, act: (target: OpenedDatabase) => Promise<T>): Promise<T> {
  await sql`drop database if exists ${sql.id(TARGET)} with (force)`.execute(admin.db)
  await sql`create database ${sql.id(TARGET)} template ${sql.id(TEMPLATE)}`.execute(admin.db)
  const connection = { ...admin.connection, database: TARGET }
  const opened = openDatabase({ ...connection, statement_timeout: 0, max: 2 })
  try {
    return await act({ ...opened, connection, name: TARGET })
  } finally {
    await opened.db.destroy()
  }
}

async function withPortal<T>({ connection }: OpenedDatabase, act: (portal: ServerUnderTest) => Promise<T>): Promise<T> {
  const settings = { SERVICE_RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent' }
  const portal = await startServer('portal', 'usage/portal-server.ts', {
    connection,
    dataDir: '.data-bench/portal',
    settings,
  })
  try {
    return await act(portal)
  } finally {
    await portal.stop()
  }
}

function sendAll(target: OpenedDatabase, portal: ServerUnderTest, batches: Buffer[][]): Promise<Taken> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: STREAMS })
  const sendStream = async (stream: Buffer[], at: number) => {
    for (const body of stream) {
      const answer = await post(agent, portal.port, '/service/v1/usage', body, bearer(at))
      if (answer.includes('FAILURE')) throw new Error(answer.slice(0, 500))
    }
  }
  return measured(
    target,
    () => sql`checkpoint`.execute(target.db),
    () => Promise.all(batches.map(sendStream)).finally(() => agent.destroy()),
    portal,
  )
}

async function measured(
  target: OpenedDatabase,
  prepare: () => Promise<unknown>,
  run: () => Promise<unknown>,
  portal?: ServerUnderTest,
): Promise<Taken> {
  await prepare()
  const portalCpu = async () => (await portal?.usage())?.cpuMilliseconds ?? 0
  const before = { database: await databaseCpu(target), portal: await portalCpu(), own: process.cpuUsage() }
  const begun = performance.now()
  await run()
  const time = performance.now() - begun
  const own = process.cpuUsage(before.own)
  const spent = (await portalCpu()) - before.portal
  const cpu = (await databaseCpu(target)) - before.database + spent + (own.user + own.system) / 1000
  return { time, cpu, portal: spent }
}

/** Limits of the account, of every user, of every product and of users with products, far from what is used. */
async function giveLimits({ db }: OpenedDatabase): Promise<void> {
  const far = { user: null, project: null, product: null, currency: 'AEU', warnAt: null, refuseAt: '1000000.00' }
  const subjects = ['account', 'user', 'product', 'user+product'] as const
  const after = subjects.map((subject) => ({ id: subject.replace('+', '-'), subject, ...far, ...OPEN_MONTH }))
  for (let at = 0; at < CUSTOMERS; at++)
    await db.transaction().execute((tx) => saveLimits(tx, customerNumber(at), { before: [], after }))
}

/** Later figures are without limits, as those before. */
async function removeLimits({ db }: OpenedDatabase): Promise<void> {
  for (let at = 0; at < CUSTOMERS; at++)
    await db.transaction().execute(async (tx) => {
      const before = await listLimits(tx, customerNumber(at))
      await saveLimits(tx, customerNumber(at), { before, after: [] })
    })
}

function measureStart(admin: OpenedDatabase): Promise<string> {
  const began = busyness()
  return onFreshCopy(admin, (target) =>
    withPortal(target, async (portal) => {
      const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectLean(portal.port)))
      const headers = { authorization: bearer(), 'content-type': 'application/json' }
      const bodies = Array.from({ length: CUSTOMERS }, (_, at) =>
        Buffer.from(
          JSON.stringify({
            serverId: serverOf(at),
            pin: PIN,
            username: 'anna',
            host: 'ws1',
            product: 'Fluid Flow Pro',
            count: 1,
            externalIp: '192.0.2.7',
          }),
        ),
      )
      let next = 0
      const commit = () => target.pool.query('insert into bench_commit (at) values (now())')
      const startOver = async (client: LeanClient | undefined) => {
        const body = bodies[next++ % CUSTOMERS] as Buffer
        const answer = await client?.post('/service/v1/elastic/sessions', headers, body)
        if (!answer?.startsWith('{"status":"SUCCESS"')) throw new Error(answer)
      }
      const start = () => startOver(clients[0])
      for (let warm = 0; warm < WARM_UP; warm++) await start()
      const rounds = isTrial ? 200 : 600
      const [bare, started] = await medianTimes([commit, start], rounds)
      await giveLimits(target)
      for (let warm = 0; warm < CUSTOMERS; warm++) await start()
      const [bareBeside, limited] = await medianTimes([commit, start], rounds)
      await removeLimits(target)
      let starts = 0
      const { time, cpu } = await measured(
        target,
        () => sql`checkpoint`.execute(target.db),
        async () => {
          starts = await countRuns(clients.map((client) => () => startOver(client)))
        },
        portal,
      )
      const rate = (starts / time) * 1000
      const worth = (starts / cpu) * 2000
      for (const client of clients) client.close()
      return `Session start over HTTP: ${milliseconds(started)}; a bare commit of one row: ${milliseconds(bare)}; ${ratio(started / bare)}, target at most ${MAX_COMMITS}×: ${verdict(started <= MAX_COMMITS * bare)} (medians, in turns, after ${WARM_UP} starts; ${CUSTOMERS} accounts in turn, each with the sessions that it has started before). ${CLIENTS} clients, each starting one session after the other for ${RATE_SECONDS} s: ${rate.toFixed(0)} starts/s on ${availableParallelism()} processors, and ${milliseconds(cpu / starts)} of CPU per start (PostgreSQL, portal and clients together), so ${worth.toFixed(0)}/s on two processors with nothing else to do. With four limits on every account, none of them reached: ${milliseconds(limited)}, ${ratio(limited / bareBeside)} of a bare commit beside it (${milliseconds(bareBeside)}), target at most ${MAX_COMMITS}×: ${verdict(limited <= MAX_COMMITS * bareBeside)}. Target ${LEAST_STARTS}/s on two processors: ${verdict(worth >= LEAST_STARTS)} by CPU time, ${verdict(rate >= LEAST_STARTS)} by the clock. Load average before: ${began.toFixed(1)}.`
    }),
  )
}

/** Repeats each of them for some seconds, all at the same time, and counts the runs. */
async function countRuns(runs: readonly (() => Promise<void>)[]): Promise<number> {
  const until = performance.now() + RATE_SECONDS * 1000
  let done = 0
  await Promise.all(
    runs.map(async (run) => {
      for (; performance.now() < until; done++) await run()
    }),
  )
  return done
}

function post(agent: http.Agent, port: number, path: string, body: Buffer, authorization: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const request = http.request({ agent, port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve(Buffer.concat(pieces).toString()))
    })
    request.on('error', reject)
    request.end(body)
  })
}
