import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { batches, firstAlone, inPool, type Stage, withoutEmpty } from '#domain/activations/plans/plan.ts'
import type { Renewal } from '#domain/activations/plans/renewal.ts'

type Customer = { readonly customerNumber: string; readonly customerName: string }
type SeatOperation = { readonly id: string; readonly count: number }

/**
 * Host by host: the renewal comes before the ending seats go, so that there is no moment without licenses; then the files
 * of everybody who shares the host.
 */
export function planRenewal(
  renewals: readonly Renewal[],
  customer: Customer,
  sharing: (host: HostIdentity) => readonly Customer[],
): Stage[] {
  return [...Map.groupBy(renewals, ({ host }) => host)].flatMap(([host, own]) => {
    const seatStep = (kind: 'return' | 'create', activations: readonly SeatOperation[]) =>
      ({ kind, host, action: 'EDIT', ...customer, activations }) as const
    const created = summed(own.map(({ renewal, seats }) => ({ id: renewal.ActivationId, count: seats })))
    const returned = summed(own.flatMap((one) => one.returned))
    return withoutEmpty([
      ...firstAlone(batches(created).map((batch) => seatStep('create', batch))),
      inPool(batches(returned).map((batch) => seatStep('return', batch))),
      inPool(
        sharing(host).map(({ customerNumber, customerName }) => ({
          kind: 'generate',
          host,
          customerNumber,
          customerName,
        })),
      ),
    ])
  })
}

/** One element for each id: a renewal can take over seats of several entitlements, and the other way round. */
function summed(operations: readonly SeatOperation[]): SeatOperation[] {
  return [...Map.groupBy(operations, ({ id }) => id)].map(([id, same]) => ({
    id,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
}
