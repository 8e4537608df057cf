import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import type { Config } from '#server/config.ts'
import type { Pool, Pools } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { countJobs, measureStorage } from '#server/http/metrics.queries.ts'
import { measureQueries } from '#server/http/query-times.ts'
import { PROBE } from '#server/http/rate-limit.ts'
import { answerWithin } from '#server/http/within.ts'
import { isFromThisMachine } from '#server/loopback.ts'
import type { Siblings } from '#server/processes.ts'
import type { Services } from '#server/services.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Milliseconds: Prometheus gives up a scrape after ten seconds, and the rest of it is still useful. */
const TIMEOUT = 2_000

type Figure = {
  readonly name: string
  readonly help: string
  /** Rows of labels with a `count`. */
  read(db: Kysely<DB>, now: Date): Promise<readonly Record<string, string | number>[]>
}

type Build = { readonly version: string; readonly commit: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of a business refusal, for the metrics. */
    refusalCode: FailureCode | undefined
  }
}

/**
 * `GET /metrics` in the Prometheus text format, for this machine or with METRICS_TOKEN. docs/metrics.md lists the
 * metrics. `counted` are the counts of other parts in the database. Where several processes share the port, the answer has
 * the figures of all of them, each with its label.
 */
export function metrics(
  app: FastifyInstance,
  services: Services,
  build: Build,
  counted: readonly Figure[],
  siblings?: Siblings,
): void {
  const registry = new Registry()
  if (siblings) registry.setDefaultLabels({ process: String(siblings.number) })
  countRequests(app, registry)
  measureProcess(app, registry, build)
  measureConnections(registry, services)
  const beginScrape = countStorage(registry, services)
  for (const figure of [JOBS, ...counted]) measureInstallation(registry, services, figure)
  app.get('/metrics', PROBE, async (request, reply) => {
    if (!mayRead(request, services.config)) throw new HttpError(403, 'Send METRICS_TOKEN as a bearer token')
    if (siblings) return reply.type(registry.contentType).send(await siblings.readAll())
    beginScrape()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  siblings?.offerFigures(() => {
    beginScrape()
    return registry.getMetricsAsJSON()
  })
}

function countRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Histogram({
    name: 'portal_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'portal_refusals_total',
    help: 'Business refusals (HTTP 200 with FAILURE) by code; denied session starts and checkouts are among them',
    labelNames: ['method', 'route', 'code'],
    registers: [registry],
  })
  app.decorateRequest('refusalCode', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, refusalCode: code } = request
    const route = request.routeOptions.url ?? 'unmatched'
    requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (code) refusals.inc({ method, route, code })
    done()
  })
}

function measureProcess(app: FastifyInstance, registry: Registry, { version, commit }: Build): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('process_resident_memory_bytes', 'Memory of this process', () => process.memoryUsage.rss())
  gauge('process_start_time_seconds', 'When this process started, in seconds since 1970', () => {
    return performance.timeOrigin / 1000
  })
  gauge(
    'portal_event_loop_delay_seconds',
    'How late the event loop is, 99th percentile',
    () => delay.percentile(99) / 1e9,
  )
  new Gauge({
    name: 'portal_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  }).set({ version, commit, node: process.version }, 1)
}

function measureConnections(registry: Registry, { pool: main, pools, reads: { replica } }: Services): void {
  const poolsOf = (of: Pools, prefix = '') => Object.entries(of).map(([name, { pool }]) => [`${prefix}${name}`, pool])
  const named: Record<string, Pool> = {
    main,
    ...Object.fromEntries([...poolsOf(pools), ...(replica ? poolsOf(replica.pools, 'replica ') : [])]),
  }
  if (replica)
    new Gauge({
      name: 'portal_replica_lag_seconds',
      help: 'How far the replica is behind; NaN while it does not answer',
      registers: [registry],
      collect() {
        this.set(replica.lag() ?? Number.NaN)
      },
    })
  measureQueries(registry, named)
  new Gauge({
    name: 'portal_database_connections',
    help: 'Connections of this process by pool; waiting are calls that have none yet',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(named)) {
        this.set({ pool, state: 'total' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
}

const STORAGE = {
  commits: 'Transactions that were committed',
  rollbacks: 'Transactions that were rolled back',
  deadlocks: 'Deadlocks',
  blocks_read: 'Blocks that were not in the cache of PostgreSQL',
  blocks_hit: 'Blocks that were in the cache of PostgreSQL',
} as const

/**
 * PostgreSQL's statistics of this database since their reset. Returns the function that begins a scrape: one query
 * reads all of them. Without an answer the last figures stay, because a counter that falls to 0 would be taken for a
 * reset.
 */
function countStorage(registry: Registry, { pools }: Services): () => void {
  let reading: Promise<void> = Promise.resolve()
  const collect = () => reading
  const counters = Object.entries(STORAGE).map(([figure, help]) => {
    const counter = new Counter({ name: `portal_database_${figure}_total`, help, registers: [registry], collect })
    return { figure: figure as keyof typeof STORAGE, counter }
  })
  const size = new Gauge({
    name: 'portal_database_size_bytes',
    help: 'The database on disk',
    registers: [registry],
    collect,
  })
  const read = async () => {
    const found = await answerWithin(measureStorage(pools.access.db), TIMEOUT).catch(() => undefined)
    if (!found) return
    size.set(found.size)
    for (const { figure, counter } of counters) {
      counter.reset()
      counter.inc(found[figure])
    }
  }
  return () => {
    reading = read()
  }
}

const JOBS: Figure = { name: 'portal_jobs', help: 'Jobs by queue and state', read: countJobs }

/** Counted in the database, for the whole installation. If the database does not answer, only these are left out. */
function measureInstallation(registry: Registry, { pools, clock }: Services, { name, help, read }: Figure): void {
  new Gauge({
    name,
    help,
    labelNames: ['queue', 'lane', 'kind', 'state', 'folder', 'node'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { count, ...labels } of await answerWithin(read(pools.access.db, clock.now()), TIMEOUT).catch(
        () => [],
      ))
        this.set(labels as Record<string, string>, Number(count))
    },
  })
}

function mayRead(request: FastifyRequest, config: Config): boolean {
  if (config.metricsToken === undefined) return isFromThisMachine(request, config)
  // Hashes have equal length, and timingSafeEqual takes the same time wherever they differ.
  return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${config.metricsToken}`))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
