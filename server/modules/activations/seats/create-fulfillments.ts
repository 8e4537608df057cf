import type { createFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { ensureHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, refuseBusyHost, refuseOtherName } from '#server/modules/activations/hosts/named-host.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import { requireRehosting } from '#server/modules/activations/plans/rehosting.ts'
import { createSeats } from '#server/modules/activations/seats/change-seats.ts'
import { doneLines, refuseBatch } from '#server/modules/activations/seats/seat-lines.ts'
import { overriddenMaintenance, refusedCreations } from '#server/modules/activations/seats/seat-refusals.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Activates seats on a host. The host comes before the entitlements, so that two calls never wait for each other. */
export async function createFulfillments(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  const { activations, action = 'EDIT' } = body
  if (action === 'REHOST') requireRehosting(services.config)
  const host = await ensureHost(db, customerNumber, readHost(body), now)
  await refuseBusyHost(db, host)
  await refuseOtherName(db, host, body)

  const request = { customerNumber, action, activations }
  const fulfillmentIds = await createSeats(authorOf(call), request, host, async (entitlements) => {
    const reserved = await findReserved(db, customerNumber, [...entitlements.keys()])
    const today = dayIn(timeZone, now)
    const mayOverrideMaintenance = can(actor, 'activations.override-maintenance', standing).allowed
    refuseBatch(activations, refusedCreations(activations, entitlements, reserved, { today, mayOverrideMaintenance }))
    return { activations, noted: overriddenMaintenance(entitlements.values(), today) }
  })
  return { data: doneLines(activations, fulfillmentIds) }
}
