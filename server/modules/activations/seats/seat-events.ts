import { MAX_ACTIVATIONS, type WebhookEvent } from '#contract/webhooks/webhook-events.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'
import type { LedgerRow } from '#server/modules/activations/seats/seats.queries.ts'

type Host = LedgerRow['host']
type Change = {
  readonly action: FulfillmentAction
  readonly movedFrom: Host | undefined
  /** Product names by activation id. */
  readonly products: ReadonlyMap<string, string>
  readonly by: string
}

/** What webhooks are told of rows of the ledger: an event for each host, more if there are many activations. */
export function seatEvents(rows: readonly LedgerRow[], change: Change): WebhookEvent[] {
  const byHost = Map.groupBy(rows, ({ host, count }) => `${count < 0} ${host.host_id_type} ${host.host_id}`)
  return [...byHost.values()].flatMap((group) => chunksOf(group).map((chunk) => eventOf(chunk, change)))
}

function eventOf(rows: readonly LedgerRow[], { action, movedFrom, products, by }: Change): WebhookEvent {
  const [first] = rows
  if (!first) throw new Error('an event without rows')
  const host = toHost(first.host)
  const activations = rows.map(({ activationId, count }) => ({
    activationId,
    product: products.get(activationId) ?? '',
    seats: Math.abs(count),
  }))
  const isMove = action === 'REHOST'
  if (first.count < 0) return { type: 'seats.returned', data: { host, activations, isMove, by } }
  if (!isMove) return { type: 'seats.activated', data: { host, activations, by } }
  return { type: 'seats.moved', data: { host, from: movedFrom ? toHost(movedFrom) : null, activations, by } }
}

export const toHost = ({ host_id, host_id_type }: Host) => ({ hostId: host_id, hostIdType: host_id_type })

function chunksOf(rows: readonly LedgerRow[]): LedgerRow[][] {
  return Array.from({ length: Math.ceil(rows.length / MAX_ACTIVATIONS) }, (_, index) =>
    rows.slice(index * MAX_ACTIVATIONS, (index + 1) * MAX_ACTIVATIONS),
  )
}
