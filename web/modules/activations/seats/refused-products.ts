import { StepError } from '#domain/activations/plans/run-plan.ts'
import { BatchFailure } from '#web/lib/api-failure.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-flow.ts'

/** Why the server refused a step, and for which products. */
export type RefusedProducts = { readonly reason: string; readonly products: readonly string[] }

export function refusedProducts(error: unknown, job: SaveJob): RefusedProducts[] {
  if (!(error instanceof StepError && error.cause instanceof BatchFailure)) return []
  const causes = error.cause.lines.filter(({ code }) => code !== 'BATCH_REFUSED')
  const byReason = Map.groupBy(causes, ({ err = '' }) => err)
  return [...byReason].map(([reason, lines]) => ({
    reason,
    products: lines.map(({ id = '' }) => productText(job, activationOf(job, id))),
  }))
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
