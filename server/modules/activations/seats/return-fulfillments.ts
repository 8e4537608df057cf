import type { returnFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import { MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import { findHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { requireRehosting } from '#server/modules/activations/plans/rehosting.ts'
import { isUnmaintained } from '#server/modules/activations/seats/create-fulfillments.ts'
import { doneLines, type Refusal, refuseBatch } from '#server/modules/activations/seats/seat-lines.ts'
import {
  findFulfilledActivations,
  findHeldSeats,
  insertFulfillments,
} from '#server/modules/activations/seats/seats.queries.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Returns seats. What a fulfillment still holds is read once its entitlement is locked. */
export async function returnFulfillments(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  const { activations, action = 'EDIT' } = body
  if (action === 'REHOST') requireRehosting(services.config)
  const activationOf = await findFulfilledActivations(
    db,
    customerNumber,
    activations.map(({ id }) => id),
  )
  const activationIds = [...activationOf.values()]
  const entitlements = await lockEntitlements(db, customerNumber, activationIds)
  const heldRows = await findHeldSeats(db, customerNumber, activationIds)
  const held = new Map(heldRows.map((row) => [row.fulfillment_id, row]))

  const today = dayIn(timeZone, now)
  const unmaintained = new Set([...entitlements.values()].filter((one) => isUnmaintained(one, today)))
  const mayOverride = can(actor, 'activations.override-maintenance', standing).allowed
  const left = new Map(heldRows.map((row) => [row.fulfillment_id, row.seats]))
  const refusals = new Map<(typeof activations)[number], Refusal>()
  for (const element of activations) {
    const entitlement = entitlements.get(activationOf.get(element.id) ?? '')
    const seats = (left.get(element.id) ?? 0) + element.count
    left.set(element.id, seats)
    if (!entitlement) refusals.set(element, NO_SUCH_FULFILLMENT)
    else if (seats < 0) refusals.set(element, NOT_HELD)
    else if (unmaintained.has(entitlement) && !mayOverride)
      refusals.set(element, { code: 'MAINTENANCE_EXPIRED', err: MAINTENANCE_EXPIRED })
  }
  refuseBatch(activations, refusals)

  const rows = activations.map(({ id, count }) => {
    const row = held.get(id)
    if (!row) throw new Error(`${id} was not checked`)
    return { activationId: row.activation_id, host: row, count, returns: id }
  })
  for (const id of new Set(rows.map(({ host }) => host.host_id))) {
    const host = await findHost(db, customerNumber, readMachine(id))
    if (host) await refuseBusyHost(db, host)
  }
  const fulfillmentIds = await insertFulfillments(db, { customerNumber, action, email: actor.email, now }, rows)
  await call.audit({
    target: [...new Set(rows.map(({ host }) => host.host_id))].join(' '),
    after: {
      action,
      activations: activations.map(({ id, count }) => ({ id, count })),
      ...(unmaintained.size ? { maintenanceOverridden: [...unmaintained].map((one) => one.activation_id) } : {}),
    },
  })
  return { data: doneLines(activations, fulfillmentIds) }
}

const NO_SUCH_FULFILLMENT: Refusal = { code: 'NO_SUCH_FULFILLMENT', err: 'The account has no such fulfillment.' }
const NOT_HELD: Refusal = { code: 'NOT_HELD', err: 'These seats have been returned already.' }
