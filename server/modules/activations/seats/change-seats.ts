import type {
  createFulfillments as createOperation,
  returnFulfillments as returnOperation,
} from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import type { FulfillmentOperation } from '#domain/activations/plans/plan.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'
import { ensureHost, findHost, type HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, readMachine, refuseBusyHost, refuseOtherName } from '#server/modules/activations/hosts/named-host.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import { seatEvents } from '#server/modules/activations/seats/seat-events.ts'
import {
  doneLines,
  overriddenMaintenance,
  refuseBatch,
  refusedCreations,
  refusedReturns,
  requireRehosting,
  type SeatRules,
} from '#server/modules/activations/seats/seat-refusals.ts'
import {
  insertFulfillments,
  type LedgerRow,
  type LockedFulfillments,
  lockFulfillments,
} from '#server/modules/activations/seats/seats.queries.ts'
import { authorOf, type StepAuthor } from '#server/modules/activations/step-author.ts'
import { lockEntitlements, type SoldEntitlement } from '#server/modules/entitlements/entitlements.public.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

type SeatCall = Call<typeof createOperation> | Call<typeof returnOperation>

export async function returnFulfillments(call: Call<typeof returnOperation>): Promise<Result<typeof returnOperation>> {
  const { db } = call
  const { request, rules } = readRequest(call)
  const { customerNumber, activations } = request
  const { fulfillmentIds } = await returnSeats(authorOf(call), request, async (locked) => {
    refuseBatch(activations, refusedReturns(activations, locked, rules))
    for (const id of new Set(activations.map((one) => locked.held.get(one.id)?.host_id ?? ''))) {
      const host = await findHost(db, customerNumber, readMachine(id))
      if (host) await refuseBusyHost(db, host)
    }
    return { activations, noted: overriddenMaintenance(locked.entitlements.values(), rules.today) }
  })
  return { data: doneLines(activations, fulfillmentIds) }
}

/** Activates seats on a host. The host is locked before the entitlements, so that two calls never deadlock. */
export async function createFulfillments(call: Call<typeof createOperation>): Promise<Result<typeof createOperation>> {
  const { body, db, now } = call
  const { request, rules } = readRequest(call)
  const { customerNumber, activations } = request
  const host = await ensureHost(db, customerNumber, readHost(body), now)
  await refuseBusyHost(db, host)
  await refuseOtherName(db, host, body)
  const fulfillmentIds = await createSeats(authorOf(call), request, host, async (entitlements) => {
    const reserved = await findReserved(db, customerNumber, [...entitlements.keys()])
    refuseBatch(activations, refusedCreations(activations, entitlements, reserved, rules))
    return { activations, noted: overriddenMaintenance(entitlements.values(), rules.today) }
  })
  return { data: doneLines(activations, fulfillmentIds) }
}

function readRequest(call: SeatCall): { request: SeatRequest; rules: SeatRules } {
  const { actor, body, now, services, standing, timeZone } = call
  const { activations, action = 'EDIT' } = body
  if (action === 'REHOST') requireRehosting(services.config)
  const mayOverrideMaintenance = can(actor, 'activations.override-maintenance', standing).allowed
  return {
    request: { customerNumber: standing.customerNumber, action, activations },
    rules: { today: dayIn(timeZone, now), mayOverrideMaintenance },
  }
}

/** Seats of one customer to return (fulfillment ids, negative counts) or to activate (activation ids). */
type SeatRequest = {
  readonly customerNumber: string
  readonly action: FulfillmentAction
  readonly activations: readonly FulfillmentOperation[]
  /** Where seats that are activated again were before, if the plan knows. */
  readonly movedFrom?: LedgerRow['host'] | undefined
}

/** How many seats of a request are changed, and what else is audited. */
type Admitted = { readonly activations: readonly FulfillmentOperation[]; readonly noted?: object }

/** Returns seats. `admit` decides how many seats of each fulfillment, or refuses. */
export async function returnSeats(
  author: StepAuthor,
  request: SeatRequest,
  admit: (locked: LockedFulfillments) => Promise<Admitted>,
) {
  const ids = request.activations.map(({ id }) => id)
  const locked = await lockFulfillments(author.db, request.customerNumber, ids)
  const admitted = await admit(locked)
  const rows = admitted.activations.map(({ id, count }) => {
    const host = locked.held.get(id)
    if (!host) throw new Error(`The fulfillment ${id} was admitted and holds nothing`)
    return { activationId: host.activation_id, host, count, returns: id }
  })
  const products = productsOf(locked.entitlements.values())
  return { rows, fulfillmentIds: await appendSeats(author, request, admitted, rows, products) }
}

/**
 * Activates seats on a host. `admit` decides how many seats of each entitlement, or refuses; it is called once they are
 * locked.
 */
export async function createSeats(
  author: StepAuthor,
  request: SeatRequest,
  host: HostRow,
  admit: (entitlements: ReadonlyMap<string, SoldEntitlement>) => Promise<Admitted>,
): Promise<string[]> {
  const ids = request.activations.map(({ id }) => id)
  const entitlements = await lockEntitlements(author.db, request.customerNumber, ids)
  const admitted = await admit(entitlements)
  const rows = admitted.activations.map(({ id, count }) => ({ activationId: id, host, count }))
  return appendSeats(author, request, admitted, rows, productsOf(entitlements.values()))
}

/** Product names by activation id. */
const productsOf = (entitlements: Iterable<SoldEntitlement>): ReadonlyMap<string, string> =>
  new Map([...entitlements].map(({ activation_id, product_name }) => [activation_id, product_name]))

/** Writes changes to the ledger and to the audit log, and tells webhooks. Answers the ids of the new fulfillments. */
async function appendSeats(
  { db, now, email, audit }: StepAuthor,
  { customerNumber, action, movedFrom }: SeatRequest,
  { activations, noted }: Admitted,
  rows: readonly LedgerRow[],
  products: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (rows.length === 0) return []
  const fulfillmentIds = await insertFulfillments(db, { customerNumber, action, email, now }, rows)
  const target = [...new Set(rows.map(({ host }) => host.host_id))].join(' ')
  const server = [...new Set(rows.map(({ host }) => host.host_name))].join(', ')
  const lines = activations.map((one, index) => ({ ...one, product: products.get(rows[index]?.activationId ?? '') }))
  await audit({ customerNumber, target, after: { action, server, ...noted, activations: lines } })
  await writeEvents(db, customerNumber, now, seatEvents(rows, { action, movedFrom, products, by: email }))
  return fulfillmentIds
}
