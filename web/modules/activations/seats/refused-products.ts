import { BatchError } from '#web/lib/api/api-error.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'

/** Why the server refused a save, and for which products. */
export type RefusedProducts = { readonly reason: string; readonly products: readonly string[] }

export function refusedProducts(error: unknown, job: SaveJob): RefusedProducts[] {
  if (!(error instanceof BatchError)) return []
  const byReason = Map.groupBy(refusedLines(error), ({ err = '' }) => err)
  return [...byReason].map(([reason, lines]) => ({
    reason,
    products: lines.map(({ id = '' }) => productText(job, activationOf(job, id))),
  }))
}

/** The lines that are the reason for the refusal. */
export function refusedLines({ lines }: BatchError) {
  return lines.filter(({ code }) => code !== 'BATCH_REFUSED')
}

/** Seats are returned by fulfillment and activated by entitlement. */
function activationOf({ request }: SaveJob, id: string): string {
  const returned = request.goals.flatMap((goal) => goal.returned).find(({ fulfillmentId }) => fulfillmentId === id)
  return returned?.activationId ?? id
}

function productText({ productNames }: SaveJob, activationId: string): string {
  const name = productNames[activationId]
  return name ? `${name} (${activationId})` : activationId
}
