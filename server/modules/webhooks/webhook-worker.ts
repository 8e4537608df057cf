import { randomUUID } from 'node:crypto'
import { InterruptedError } from '#server/doors/webhook-sender.ts'
import { deliverNext, leaseEnd, type WebhookParts } from '#server/modules/webhooks/deliver-event.ts'
import { endLease, type Lease, listDueEndpoints, takeLease } from '#server/modules/webhooks/leases.queries.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { poll } from '#server/poll.ts'

/** In milliseconds. */
const POLL_INTERVAL = 1000
/** One event per endpoint at a time, so this many endpoints can hang without delaying others. */
const MAX_ENDPOINTS = 200
/** Then an endpoint makes room for others that wait. */
const MAX_IN_TURN = 50

/**
 * Delivers webhooks for as long as the portal runs. Each endpoint is served by one process at a time, which holds a lease on
 * it, one event after the other. A process that dies loses its leases by time, and its last event is delivered again.
 */
export function webhookWorker(parts: WebhookParts, pollInterval = POLL_INTERVAL) {
  const { db, clock, sender, log } = parts
  const serving = new Map<string, Promise<void>>()

  /** Whether more may be due. */
  async function serve(key: EndpointKey, signal: AbortSignal): Promise<boolean> {
    const lease: Lease = { ...key, leaseId: randomUUID() }
    const now = clock.now()
    if (!(await takeLease(db, lease, { now, until: leaseEnd(now) }))) return false
    try {
      for (let turn = 0; turn < MAX_IN_TURN && !signal.aborted; turn++)
        if (!(await deliverNext(parts, lease))) return false
      return true
    } finally {
      await endLease(db, lease, clock.now())
    }
  }

  async function serveDue(signal: AbortSignal): Promise<void> {
    const room = MAX_ENDPOINTS - serving.size
    if (room <= 0) return
    for (const key of await listDueEndpoints(db, clock.now(), room)) {
      const name = `${key.customerNumber} ${key.id}`
      if (serving.has(name)) continue
      const served = serve(key, signal)
        .catch((error: unknown) => {
          if (!(error instanceof InterruptedError))
            log.error({ err: error, endpoint: key.id }, 'webhooks cannot be delivered')
          return false
        })
        .then((hasMore) => {
          serving.delete(name)
          if (hasMore) loop.wake()
        })
      serving.set(name, served)
    }
  }

  const loop = poll({
    interval: pollInterval,
    round: serveDue,
    failed: (err) => log.error({ err }, 'webhooks cannot be read'),
  })

  return {
    start(): void {
      void loop.start()
    },
    /** The endpoints that events are being sent to. */
    sending: () => [...serving.keys()].map(() => 'webhook'),
    /** Waits for the events that are being sent. */
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(serving.values())
    },
    /** Gives up on the events that are being sent. They stay due. */
    interrupt: () => sender.close(),
  }
}
