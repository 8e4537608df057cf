import { Histogram, type Registry } from 'prom-client'
import { measurePool, type Pool } from '#server/db/database.ts'

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** How long statements take, by pool, from sending to the last row. */
export function measureQueries(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
  const seconds = new Histogram({
    name: 'portal_query_seconds',
    help: 'Time of statements, as this process sees it',
    labelNames: ['pool'],
    buckets: BUCKETS,
    registers: [registry],
  })
  for (const [name, pool] of Object.entries(pools)) {
    const ofPool = seconds.labels(name)
    measurePool(pool, (_text, milliseconds) => ofPool.observe(milliseconds / 1000))
  }
}
