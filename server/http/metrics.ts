import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { countDatabase, countJobs } from '#server/http/metrics.queries.ts'
import { PROBE } from '#server/http/rate-limit.ts'
import { answerWithin } from '#server/http/within.ts'
import { isFromThisMachine } from '#server/loopback.ts'
import type { Services } from '#server/services.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** In milliseconds: a scrape is given up after ten seconds, and everything else in it is worth having. */
const PATIENCE = 2_000

type Figure = {
  readonly name: string
  readonly help: string
  read(db: Kysely<DB>): Promise<readonly Record<string, string | number>[]>
}

/**
 * `GET /metrics` in the Prometheus text format, for this machine or whoever carries METRICS_TOKEN. What other parts count in
 * the database comes as rows of labels with a `count`.
 */
export function metrics(app: FastifyInstance, services: Services, counted: readonly Figure[]): void {
  const registry = new Registry()
  countRequests(app, registry)
  measureProcess(app, registry)
  measureConnections(registry, services)
  for (const figure of [...DATABASE, ...counted]) measureDatabase(registry, services, figure)
  app.get('/metrics', PROBE, async (request, reply) => {
    if (!mayRead(request, services.config)) throw new HttpError(403, 'Send METRICS_TOKEN as a bearer token')
    return reply.type(registry.contentType).send(await registry.metrics())
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
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

function measureProcess(app: FastifyInstance, registry: Registry): void {
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
  gauge('process_uptime_seconds', 'How long this process has run', () => process.uptime())
  new Gauge({
    name: 'portal_event_loop_delay_seconds',
    help: 'How late the event loop is',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      this.set({ quantile: '0.99' }, delay.percentile(99) / 1e9)
    },
  })
}

function measureConnections(registry: Registry, { pool: main, pools }: Services): void {
  const named = { main, ...Object.fromEntries(Object.entries(pools).map(([name, { pool }]) => [name, pool])) }
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

const DATABASE: readonly Figure[] = [
  { name: 'portal_database', help: 'What PostgreSQL has counted for this database', read: countDatabase },
  { name: 'portal_jobs', help: 'Jobs by queue and state', read: countJobs },
]

/** What the database counts, for the whole installation. Without a database these are left out; the rest stays. */
function measureDatabase(registry: Registry, { pools }: Services, { name, help, read }: Figure): void {
  new Gauge({
    name,
    help,
    labelNames: ['figure', 'queue', 'lane', 'kind', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { count, ...labels } of await answerWithin(read(pools.access.db), PATIENCE).catch(() => []))
        this.set(labels as Record<string, string>, Number(count))
    },
  })
}

function mayRead(request: FastifyRequest, config: Config): boolean {
  if (config.metricsToken === undefined) return isFromThisMachine(request, config)
  // Hashes are of one length, and comparing them takes the same time wherever they differ.
  return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${config.metricsToken}`))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
