import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import type { Renewal } from '#domain/activations/plans/renewal.ts'
import type { FulfillmentOperation } from '#domain/activations/seats/seat-goal.ts'
import { generateSteps, seatSteps } from '#domain/activations/seats/seat-steps.ts'

type Customer = { readonly customerNumber: string; readonly customerName: string }

/**
 * Host by host: the renewal comes before the ending seats go, so that there is no moment without licenses; then the files
 * of everybody who shares the host.
 */
export function planRenewal(
  renewals: readonly Renewal[],
  customer: Customer,
  sharing: (host: HostIdentity) => readonly Customer[],
): PlanStep[] {
  return [...Map.groupBy(renewals, ({ host }) => host)].flatMap(([host, own]) => {
    const created = summed(own.map(({ renewal, seats }) => ({ id: renewal.ActivationId, count: seats })))
    const returned = summed(own.flatMap((one) => one.returned))
    return [
      ...seatSteps({ kind: 'create', host, action: 'EDIT' }, customer, created),
      ...seatSteps({ kind: 'return', host, action: 'EDIT' }, customer, returned),
      ...generateSteps(host, sharing(host)),
    ]
  })
}

/** One element for each id: a renewal can take over seats of several entitlements, and the other way round. */
function summed(operations: readonly FulfillmentOperation[]): FulfillmentOperation[] {
  return [...Map.groupBy(operations, ({ id }) => id)].map(([id, same]) => ({
    id,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
}
