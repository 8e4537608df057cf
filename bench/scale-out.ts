import { exec } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { milliseconds, table } from '#bench/kit/figures.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { percentile } from '#bench/kit/http-load.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { insertAccounts } from '#bench/usage/dataset.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import type { World } from '#server/demo/demo-part.ts'
import { CURRENT_RATES, catalog } from '#server/demo/parts/catalog.demo.ts'
import { productNamed } from '#server/demo/products.ts'
import { systemClock } from '#server/doors/clock.ts'
import { insertServiceKey } from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'
import { savePin } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { shard } from '#server/scale-out/shard.ts'
import { citusNodes, makeCitusDatabase } from '#server/testing/scale-out/citus.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

/*
 * Failures of a sharded installation under writes: a worker dies and comes back, dies between the two phases of a commit, and a
 * shard is moved. Nothing acknowledged may be lost, nothing may be there twice, and customers of the other worker are served.
 * CITUS_URL names the cluster; CITUS_STOP_WORKER and CITUS_START_WORKER are commands that kill and start its last worker.
 * `node bench/scale-out.ts` keeps the results in RESULTS.md; with `trial` it only prints.
 */
const { CITUS_URL, CITUS_STOP_WORKER, CITUS_START_WORKER } = process.env
if (!CITUS_URL || !CITUS_STOP_WORKER || !CITUS_START_WORKER) {
  console.log(
    'Not run: set CITUS_URL, CITUS_STOP_WORKER and CITUS_START_WORKER (bench/scale-out.ts says what they are).',
  )
  process.exit(0)
}
const DATABASE = 'bench_scale_out'
const SHARDS = 4
const PIN = '482913'
/** On each worker; each has a writer, one request after the other. */
const CUSTOMERS = 4
const QUIET_SECONDS = 10
const OUTAGE_SECONDS = 15
const HOUR = 3_600_000
const product = productNamed('Structural Mechanics Pro')
const say = (line: string) => process.stdout.write(`${line}\n`)
const run = promisify(exec)

const nodes = await citusNodes(CITUS_URL)
const [coordinator, ...workers] = nodes
const victim = workers.at(-1)!
await makeCitusDatabase(nodes, DATABASE)
const connection = { ...coordinator!, database: DATABASE }
await migrate(connection)
const { db, pool } = openDatabase(connection)
await fill(db)
await shard(db, SHARDS, () => {})
say('filled and sharded')
const port = await freePort()
const config = readConfig({ PORT: String(port), RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent', DATA_DIR: '/tmp' })
const app = await buildApp({ db, pool, config, clock: systemClock, people: [] })
await app.listen({ port, host: '127.0.0.1' })

type Kind = 'session' | 'usage' | 'entitlement' | 'page'
type Sent = {
  readonly customer: string
  readonly isOnVictim: boolean
  readonly kind: Kind
  readonly id: string
  /** When it was answered. */
  readonly at: number
  readonly time: number
  readonly status: number
}
const sent: Sent[] = []
let isOpen = true
let number = 0
let readyChecks = 0
let notReady = 0

const placed = await sql<{ customer: string; isOnVictim: boolean }>`
  select customer_number as customer, p.nodeport = ${victim.port} and p.nodename = ${victim.host} as "isOnVictim"
    from account join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('account', customer_number)
   order by 1`.execute(db)
const chosen = [true, false].flatMap((on) =>
  placed.rows.filter(({ isOnVictim }) => isOnVictim === on).slice(0, CUSTOMERS),
)
const writers = chosen.map(write)
const watcher = watchReadiness()

const phases: { name: string; from: number; to: number; note: string }[] = []
await phase('quiet', async () => {
  await sleep(QUIET_SECONDS * 1000)
  return ''
})
await phase('a worker is dead', async () => {
  await run(CITUS_STOP_WORKER)
  await sleep(OUTAGE_SECONDS * 1000)
  return ''
})
await phase('it starts again', () => startAgain())
await phase('a worker dies between PREPARE and COMMIT', async () => {
  const on = openDatabase({ ...victim, database: DATABASE, max: 1 })
  const deadline = Date.now() + 60_000
  let prepared = 0
  while (prepared === 0 && Date.now() < deadline) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_prepared_xacts where database = current_database()`.execute(on.db)
    prepared = rows[0]?.n ?? 0
  }
  await run(CITUS_STOP_WORKER)
  await on.db.destroy()
  await sleep(OUTAGE_SECONDS * 1000)
  return `${prepared} prepared when it was killed`
})
await phase('it starts again, and prepared transactions are ended', async () => {
  const note = await startAgain()
  const begun = performance.now()
  while ((await countPrepared()) > 0 && performance.now() - begun < 120_000) await sleep(100)
  return `${note}, transactions left over after ${seconds(performance.now() - begun)}: ${await countPrepared()}`
})
for (const mode of ['force_logical', 'block_writes']) await phase(`a shard is moved (${mode})`, () => moveShard(mode))
await phase('quiet again', async () => {
  await sleep(QUIET_SECONDS * 1000)
  return ''
})
isOpen = false
await Promise.all([...writers, watcher])

const text = await report()
say(text)
if (!process.argv.includes('trial')) saveResults({ sections: [['Failures on a cluster', text]] })
await app.close()
process.exit(0)

async function fill(to: Kysely<DB>): Promise<void> {
  await insertAccounts({ db: to } as Parameters<typeof insertAccounts>[0])
  await sql`update entitlement set rate_table_version = ${CURRENT_RATES}, currency = 'AEU'`.execute(to)
  const { rows } = await sql<{ customerNumber: string; deviceId: string }>`
    select customer_number as "customerNumber", device_id as "deviceId" from elastic_server`.execute(to)
  await to.transaction().execute(async (tx) => {
    await catalog.load(tx, {} as World)
    for (const server of rows) await savePin(tx, UNWRAPPED, server, PIN, { email: 'bench', at: new Date() })
  })
  await sql`select ensure_usage_partitions(now() - interval '40 days', now() + interval '1 day')`.execute(to)
}

/** Each writer has its own: the batches of one key take turns, so that one that waits would delay the others. */
async function addKey(name: string): Promise<string> {
  const key = createServiceKey()
  const about = { name, scopes: ['usage', 'sessions', 'entitlements'] as const, createdBy: 'bench' }
  const lasting = { createdAt: new Date(), expiresAt: new Date(Date.now() + 24 * HOUR) }
  await db.transaction().execute((tx) => insertServiceKey(tx, { ...key, ...about, ...lasting }))
  return key.key
}

/**
 * Starts sessions, books usage, sells entitlements and reads pages in turn. An entitlement is on the node of its customer, its
 * claim on the coordinator.
 */
async function write({ customer, isOnVictim }: { customer: string; isOnVictim: boolean }): Promise<void> {
  const serverId = `cls-bench-${customer}`
  const person = `anna@${customer}.example`
  await db.insertInto('contact').values({ customer_number: customer, email: person, role: ADMINISTRATOR }).execute()
  const byPerson = { cookie: await signedIn({ db }, person), 'x-requested-with': 'portal' }
  const bySystem = { authorization: `Bearer ${await addKey(`bench ${customer}`)}` }
  const usage = { serverId, product: 'Fluid Flow Pro', username: 'anna', host: 'ws1' }
  while (isOpen) {
    for (const kind of ['session', 'usage', 'entitlement', 'page'] as const) {
      const id = `bench-${customer}-${++number}`
      const ended = Date.now() - HOUR
      const [path, body] = {
        session: ['/service/v1/elastic/sessions', { ...usage, pin: PIN, count: 1, externalIp: '192.0.2.7' }],
        usage: ['/service/v1/usage', { transactions: [{ ...usage, id, productCount: 1, ...times(ended) }] }],
        entitlement: ['/service/v1/entitlements', { records: [soldTo(customer, id)] }],
        page: [usageList.page.path, { customerNumber: customer, limit: 20 }],
      }[kind] as [string, object]
      const at = performance.now()
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: kind === 'entitlement' ? 'PUT' : 'POST',
        headers: { 'content-type': 'application/json', ...(kind === 'page' ? byPerson : bySystem) },
        body: JSON.stringify(body),
      })
      const { data, ...rest } = (await answer.json()) as { status: string; data?: unknown; code?: string }
      const line = Array.isArray(data) && kind !== 'page' ? (data[0] as { status: string; code?: string }) : rest
      // A refusal in a 200 is as wrong here as a 500.
      const status = answer.status === 200 && line.status !== 'SUCCESS' ? 422 : answer.status
      if (status !== 200 && status !== 503) say(`${kind} ${status} ${JSON.stringify({ ...rest, line })}`)
      const own = kind === 'session' ? (data as { sessionId?: string } | undefined)?.sessionId : id
      const answeredAt = performance.now()
      sent.push({ customer, isOnVictim, kind, id: own ?? '', at: answeredAt, time: answeredAt - at, status })
      if (status !== 200) await sleep(100)
    }
  }
}

function times(ended: number) {
  return { startTime: new Date(ended - HOUR).toISOString(), endTime: new Date(ended).toISOString() }
}

function soldTo(customerNumber: string, activationId: string) {
  return {
    activationId,
    customerNumber,
    entitlementId: `ENT-${activationId}`,
    partNumber: product.partNumber,
    productName: product.name,
    licenseModel: 'Network',
    quantity: 1,
    startDate: '2026-01-01',
  }
}

async function watchReadiness(): Promise<void> {
  while (isOpen) {
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
    readyChecks++
    if (status !== 200) notReady++
    await sleep(500)
  }
}

async function phase(name: string, work: () => Promise<string>): Promise<void> {
  say(name)
  const from = performance.now()
  const note = await work()
  phases.push({ name, from, to: performance.now(), note })
}

/** Until each customer of the worker has been served again. */
async function startAgain(): Promise<string> {
  await run(CITUS_START_WORKER!)
  const begun = performance.now()
  const isServed = ({ customer }: { customer: string }) =>
    sent.some((one) => one.customer === customer && one.status === 200 && one.at - one.time > begun)
  while (!chosen.every(isServed)) await sleep(20)
  return `all customers served ${seconds(performance.now() - begun)} after its start`
}

async function countPrepared(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(result::int), 0)::int as n
      from run_command_on_all_nodes('select count(*) from pg_prepared_xacts where database = current_database()') where success`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

async function moveShard(mode: string): Promise<string> {
  const { rows } = await sql<{ shardid: string; host: string; port: number }>`
    select shardid, nodename as host, nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('account', ${chosen[0]?.customer}::text)`.execute(db)
  const [from] = rows
  const to = workers.find(({ host, port }) => host !== from?.host || port !== from?.port)
  const admin = openDatabase({ ...connection, max: 1, statement_timeout: 0 })
  const begun = performance.now()
  const move = sql`select citus_move_shard_placement(${from?.shardid}::bigint, ${from?.host}::text, ${from?.port}::int, ${to?.host}::text, ${to?.port}::int,
    ${mode}::citus.shard_transfer_mode)`
  // A move that locks the tables can be the victim of a deadlock with writers: it is begun once more.
  let attempts = 1
  while (attempts < 5 && !(await move.execute(admin.db).then(Boolean, isDeadlock))) attempts++
  await admin.db.destroy()
  return `took ${seconds(performance.now() - begun)}, attempts: ${attempts}`
}

function isDeadlock(error: { code?: string }): false {
  if (error.code === '40P01') return false
  throw error
}

async function report(): Promise<string> {
  const acknowledged = sent.filter(({ kind, status }) => kind !== 'page' && status === 200)
  const kept = await sql<{ id: string; n: number }>`
    select id, count(*)::int as n from (
      select id from usage_receipt union all
      select activation_id from entitlement where part_number = ${product.partNumber} union all
      select session_id from usage_transaction where starts_with(session_id, customer_number || '.')) rows group by id`.execute(
    db,
  )
  const found = new Map(kept.rows.map(({ id, n }) => [id, n]))
  const lost = acknowledged.filter(({ id }) => !found.has(id))
  const twice = kept.rows.filter(({ n }) => n > 1)
  const booked = await sql<{ rows: number; receipts: number }>`
    select (select count(*)::int from usage_transaction where ends_at < 'infinity') as rows,
           (select count(*)::int from usage_receipt) as receipts`.execute(db)
  const settings = await sql<{ fsync: string }>`show fsync`.execute(db)
  const silent = sent.filter(({ kind, status, id }) => kind !== 'page' && status === 503 && found.has(id))
  const rows = phases.map(({ name, from, to, note }) => {
    const within = sent.filter(({ at }) => at >= from && at < to)
    const of = (on: boolean) => within.filter(({ isOnVictim }) => isOnVictim === on)
    const served = (all: readonly Sent[]) => all.filter(({ status }) => status === 200)
    const p95 = percentile(
      served(of(false))
        .map(({ time }) => time)
        .sort((a, b) => a - b),
      0.95,
    )
    const refused = within.filter(({ status }) => status === 503)
    const slowest = Math.max(...within.map(({ time }) => time))
    const others = within.filter(({ status }) => status !== 200 && status !== 503).length
    return [
      name,
      seconds(to - from),
      `${served(of(true)).length}`,
      `${served(of(false)).length}, p95 ${milliseconds(p95)}`,
      `${byKind(refused.filter(({ isOnVictim }) => isOnVictim))}; ${byKind(refused.filter(({ isOnVictim }) => !isOnVictim))}`,
      String(others),
      milliseconds(slowest),
      note,
    ]
  })
  return `${table(['phase', 'length', 'acknowledged, its customers', 'of the others', '503: its customers; others', 'other errors', 'slowest', ''], rows)}

- acknowledged writes: ${acknowledged.length}, lost: ${lost.length}, there twice: ${twice.length}
- usage rows ${booked.rows[0]?.rows}, receipts ${booked.rows[0]?.receipts}
- answered with 503 and there all the same: ${silent.length}
- \`/readyz\` was asked ${readyChecks} times and was not ready ${notReady} times
- coordinator and ${workers.length} workers on one machine with others on it, \`fsync\` ${settings.rows[0]?.fsync}`
}

function byKind(some: readonly Sent[]): string {
  const counts = Map.groupBy(some, ({ kind }) => kind)
  return [...counts].map(([kind, { length }]) => `${length} (${kind})`).join(', ') || '0'
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(1)} s`
}
