import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'
import { isFromThisMachine } from '#server/http/this-machine.ts'
import type { Services } from '#server/services.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
type Series = { count: number; sum: number; buckets: number[] }

/** `GET /metrics` in the Prometheus text format, for this machine or whoever carries METRICS_TOKEN. */
export function metrics(app: FastifyInstance, services: Services): void {
  const requests = new Map<string, Series>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const labels = `method="${request.method}",route="${route}",status="${reply.statusCode}"`
    const series = requests.get(labels) ?? { count: 0, sum: 0, buckets: BUCKETS.map(() => 0) }
    const seconds = reply.elapsedTime / 1000
    series.count++
    series.sum += seconds
    BUCKETS.forEach((limit, i) => {
      if (seconds <= limit) series.buckets[i] = (series.buckets[i] ?? 0) + 1
    })
    requests.set(labels, series)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, services.config)) throw new HttpError(403, 'METRICS_TOKEN is needed from here')
    const gauges: [string, number][] = [
      ...connectionGauges(services),
      ['portal_event_loop_delay_seconds{quantile="0.99"}', delay.percentile(99) / 1e9],
      ['process_resident_memory_bytes', process.memoryUsage.rss()],
      ['process_uptime_seconds', process.uptime()],
    ]
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send([...requestLines(requests), ...gauges.map(([name, value]) => `${name} ${value}`), ''].join('\n'))
  })
}

function connectionGauges({ pool: main, pools }: Services): [string, number][] {
  const named = { main, ...Object.fromEntries(Object.entries(pools).map(([name, { pool }]) => [name, pool])) }
  return Object.entries(named).flatMap(([name, { totalCount, idleCount, waitingCount }]): [string, number][] => [
    [`portal_database_connections{pool="${name}",state="total"}`, totalCount],
    [`portal_database_connections{pool="${name}",state="idle"}`, idleCount],
    [`portal_database_connections{pool="${name}",state="waiting"}`, waitingCount],
  ])
}

function* requestLines(requests: Map<string, Series>): Generator<string> {
  yield '# TYPE portal_request_seconds histogram'
  for (const [labels, series] of requests) {
    for (const [i, limit] of BUCKETS.entries())
      yield `portal_request_seconds_bucket{${labels},le="${limit}"} ${series.buckets[i]}`
    yield `portal_request_seconds_bucket{${labels},le="+Inf"} ${series.count}`
    yield `portal_request_seconds_sum{${labels}} ${series.sum}`
    yield `portal_request_seconds_count{${labels}} ${series.count}`
  }
}

function mayRead(request: FastifyRequest, config: Config): boolean {
  if (config.metricsToken === undefined) return isFromThisMachine(request, config)
  // Hashes are of one length, and comparing them takes the same time wherever they differ.
  return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${config.metricsToken}`))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
