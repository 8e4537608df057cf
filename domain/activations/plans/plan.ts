import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { FulfillmentOperation } from '#domain/activations/seats/seat-goal.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

type OnHost = { readonly host: HostIdentity }
type OfCustomer = { readonly customerNumber: string; readonly customerName: string }

/** What the server does in one transaction. A plan is a list of steps, which are done one after the other. */
export type PlanStep =
  | (OnHost &
      OfCustomer & {
        readonly kind: 'return' | 'create'
        readonly action: FulfillmentAction
        readonly activations: readonly FulfillmentOperation[]
      })
  | (OnHost & { readonly kind: 'override' | 'deactivate group'; readonly customerNumber: string })
  | (OnHost & { readonly kind: 'set group'; readonly customerNumber: string; readonly group: readonly string[] })
  | (OnHost &
      OfCustomer & {
        readonly kind: 'generate'
        /** The customer has no licenses, so there is no file. Known once the step is done. */
        readonly isSkipped?: true
      })
  | (OnHost & { readonly kind: 'mark inactive' | 'mark active' })
  | (OnHost & {
      readonly kind: 'email'
      readonly customerNumber: string
      readonly supportEmailTo: string
      readonly supportEmailCc: string
    })

/** How many activations one step carries. */
export const BATCH_SIZE = 25

export function batches<T>(elements: readonly T[], size = BATCH_SIZE): T[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, index) =>
    elements.slice(index * size, (index + 1) * size),
  )
}
