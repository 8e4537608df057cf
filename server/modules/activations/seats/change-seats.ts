import type { Transaction } from 'kysely'
import type { FulfillmentOperation } from '#domain/activations/plans/plan.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import {
  findFulfilledActivations,
  findHeldSeats,
  type HeldSeats,
  insertFulfillments,
} from '#server/modules/activations/seats/seats.queries.ts'
import type { StepAuthor } from '#server/modules/activations/step-author.ts'
import { lockEntitlements, type SoldEntitlement } from '#server/modules/entitlements/entitlements.public.ts'

/** Seats of one customer to return (fulfillment ids, negative counts) or to activate (activation ids). */
export type SeatRequest = {
  readonly customerNumber: string
  readonly action: FulfillmentAction
  readonly activations: readonly FulfillmentOperation[]
}

/** How much of a request is done, and what else the audit log keeps. */
type Admitted = { readonly activations: readonly FulfillmentOperation[]; readonly noted?: object }

/** Fulfillments, read once their entitlements are locked. */
export type LockedFulfillments = {
  /** Entitlements by fulfillment id. A fulfillment that the account does not have is missing. */
  readonly entitlements: ReadonlyMap<string, SoldEntitlement>
  /** Held seats by fulfillment id. A fulfillment that holds no seats any more is missing. */
  readonly held: ReadonlyMap<string, HeldSeats>
}

/** Returns seats. `admit` says how many of each fulfillment, or refuses. */
export async function returnSeats(
  { db, now, email, audit }: StepAuthor,
  { customerNumber, action, activations }: SeatRequest,
  admit: (locked: LockedFulfillments) => Promise<Admitted>,
) {
  const ids = activations.map(({ id }) => id)
  const locked = await lockFulfillments(db, customerNumber, ids)
  const admitted = await admit(locked)
  const rows = admitted.activations.map(({ id, count }) => {
    const host = locked.held.get(id)
    if (!host) throw new Error(`The fulfillment ${id} was admitted and holds nothing`)
    return { activationId: host.activation_id, host, count, returns: id }
  })
  if (rows.length === 0) return { rows, fulfillmentIds: [] }
  const fulfillmentIds = await insertFulfillments(db, { customerNumber, action, email, now }, rows)
  const target = [...new Set(rows.map(({ host }) => host.host_id))].join(' ')
  await audit({ customerNumber, target, after: { action, ...admitted.noted, activations: [...admitted.activations] } })
  return { rows, fulfillmentIds }
}

/** Activates seats on a host. `admit` says how many of each entitlement, or refuses: it is called once they are locked. */
export async function createSeats(
  { db, now, email, audit }: StepAuthor,
  { customerNumber, action, activations }: SeatRequest,
  host: HostRow,
  admit: (entitlements: ReadonlyMap<string, SoldEntitlement>) => Promise<Admitted>,
): Promise<string[]> {
  const ids = activations.map(({ id }) => id)
  const admitted = await admit(await lockEntitlements(db, customerNumber, ids))
  if (admitted.activations.length === 0) return []
  const rows = admitted.activations.map(({ id, count }) => ({ activationId: id, host, count }))
  const fulfillmentIds = await insertFulfillments(db, { customerNumber, action, email, now }, rows)
  const after = { action, ...admitted.noted, activations: [...admitted.activations] }
  await audit({ customerNumber, target: host.host_id, after })
  return fulfillmentIds
}

export async function lockFulfillments(
  db: Transaction<DB>,
  customerNumber: string,
  fulfillmentIds: readonly string[],
): Promise<LockedFulfillments> {
  if (fulfillmentIds.length === 0) return { entitlements: new Map(), held: new Map() }
  const activationOf = await findFulfilledActivations(db, customerNumber, fulfillmentIds)
  const activationIds = [...activationOf.values()]
  const entitlements = await lockEntitlements(db, customerNumber, activationIds)
  const held = await findHeldSeats(db, customerNumber, activationIds)
  return {
    entitlements: new Map(
      [...activationOf].flatMap(([id, activationId]) => {
        const entitlement = entitlements.get(activationId)
        return entitlement ? [[id, entitlement] as const] : []
      }),
    ),
    held: new Map(held.map((row) => [row.fulfillment_id, row])),
  }
}
