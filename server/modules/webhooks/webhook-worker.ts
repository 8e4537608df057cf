import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { InterruptedError } from '#server/doors/webhook-sender.ts'
import { deliverNext, leaseEnd, type WebhookParts } from '#server/modules/webhooks/deliver-event.ts'
import { endLease, type Lease, listDueEndpoints, takeLease } from '#server/modules/webhooks/leases.queries.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'

/** In milliseconds. */
const POLL_INTERVAL = 1000
/** One event per endpoint at a time, so this many endpoints can hang without delaying others. */
const MOST_ENDPOINTS = 200
/** Then an endpoint makes room for others that wait. */
const MOST_IN_TURN = 50

/**
 * Delivers webhooks for as long as the portal runs. Each endpoint is served by one process at a time, which holds a lease on
 * it, one event after the other. A process that dies loses its leases by time, and its last event is delivered again.
 */
export function webhookWorker(parts: WebhookParts, pollInterval = POLL_INTERVAL) {
  const { db, clock, sender, log } = parts
  const ending = new AbortController()
  let waking = new AbortController()
  const serving = new Map<string, Promise<void>>()
  let running: Promise<void> = Promise.resolve()

  /** Whether more may be due. */
  async function serve(key: EndpointKey): Promise<boolean> {
    const lease: Lease = { ...key, leaseId: randomUUID() }
    const now = clock.now()
    if (!(await takeLease(db, lease, { now, until: leaseEnd(now) }))) return false
    try {
      for (let turn = 0; turn < MOST_IN_TURN && !ending.signal.aborted; turn++)
        if (!(await deliverNext(parts, lease))) return false
      return true
    } finally {
      await endLease(db, lease, clock.now())
    }
  }

  async function serveDue(): Promise<void> {
    const room = MOST_ENDPOINTS - serving.size
    if (room <= 0) return
    for (const key of await listDueEndpoints(db, clock.now(), room)) {
      const name = `${key.customerNumber} ${key.id}`
      if (serving.has(name)) continue
      const served = serve(key)
        .catch((error: unknown) => {
          if (!(error instanceof InterruptedError))
            log.error({ err: error, endpoint: key.id }, 'webhooks cannot be delivered')
          return false
        })
        .then((hasMore) => {
          serving.delete(name)
          if (hasMore) waking.abort()
        })
      serving.set(name, served)
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      waking = new AbortController()
      await serveDue().catch((error: unknown) => log.error({ err: error }, 'webhooks cannot be read'))
      const signal = AbortSignal.any([ending.signal, waking.signal])
      await pause(pollInterval, undefined, { signal }).catch(() => {})
    }
    await Promise.all(serving.values())
  }

  return {
    start(): void {
      running = run()
    },
    /** The endpoints that events are being sent to. */
    sending: () => [...serving.keys()].map(() => 'webhook'),
    /** Waits for the events that are being sent. */
    async stop(): Promise<void> {
      ending.abort()
      await running
    },
    /** Gives up on the events that are being sent. They stay due. */
    interrupt: () => sender.close(),
  }
}
