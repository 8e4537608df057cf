import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { FulfillmentOperation } from '#domain/activations/seats/seat-goal.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

type OnHost = { readonly host: HostIdentity }
type OfCustomer = { readonly customerNumber: string; readonly customerName: string }

/** What the server does in one transaction. */
export type PlanStep =
  | (OnHost &
      OfCustomer & {
        readonly kind: 'return' | 'create'
        readonly action: FulfillmentAction
        readonly activations: readonly FulfillmentOperation[]
      })
  | (OnHost & { readonly kind: 'override' | 'deactivate group'; readonly customerNumber: string })
  | (OnHost & { readonly kind: 'set group'; readonly customerNumber: string; readonly group: readonly string[] })
  | (OnHost & OfCustomer & { readonly kind: 'generate' })
  | (OnHost & { readonly kind: 'mark inactive' | 'mark active' })
  | (OnHost & {
      readonly kind: 'email'
      readonly customerNumber: string
      readonly supportEmailTo: string
      readonly supportEmailCc: string
    })

/** Steps that may run at the same time. A stage begins when the one before it is done. */
export type Stage = { readonly steps: readonly PlanStep[]; readonly parallel: number }

/** How many activations one call carries, and how many calls run at the same time. */
export const BATCH_SIZE = 25
const POOL_SIZE = 6

export function batches<T>(elements: readonly T[], size = BATCH_SIZE): T[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, index) =>
    elements.slice(index * size, (index + 1) * size),
  )
}

export function inPool(steps: readonly PlanStep[]): Stage {
  return { steps, parallel: POOL_SIZE }
}

export function alone(...steps: readonly PlanStep[]): Stage[] {
  return steps.map((step) => ({ steps: [step], parallel: 1 }))
}

/** The first call runs alone: where there is something wrong, the others are never sent. */
export function firstAlone([first, ...others]: readonly PlanStep[]): Stage[] {
  return first ? [...alone(first), inPool(others)] : []
}

export function withoutEmpty(stages: readonly Stage[]): Stage[] {
  return stages.filter(({ steps }) => steps.length > 0)
}
