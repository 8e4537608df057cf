import type { returnFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { findHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine, refuseBusyHost } from '#server/modules/activations/hosts/named-host.ts'
import { requireRehosting } from '#server/modules/activations/plans/rehosting.ts'
import { returnSeats } from '#server/modules/activations/seats/change-seats.ts'
import { doneLines, refuseBatch } from '#server/modules/activations/seats/seat-lines.ts'
import { overriddenMaintenance, refusedReturns } from '#server/modules/activations/seats/seat-refusals.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function returnFulfillments(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  const { activations, action = 'EDIT' } = body
  if (action === 'REHOST') requireRehosting(services.config)
  const request = { customerNumber, action, activations }
  const { fulfillmentIds } = await returnSeats(authorOf(call), request, async (locked) => {
    const today = dayIn(timeZone, now)
    const mayOverrideMaintenance = can(actor, 'activations.override-maintenance', standing).allowed
    refuseBatch(activations, refusedReturns(activations, locked, { today, mayOverrideMaintenance }))
    for (const id of new Set(activations.map((one) => locked.held.get(one.id)?.host_id ?? ''))) {
      const host = await findHost(db, customerNumber, readMachine(id))
      if (host) await refuseBusyHost(db, host)
    }
    return { activations, noted: overriddenMaintenance(locked.entitlements.values(), today) }
  })
  return { data: doneLines(activations, fulfillmentIds) }
}
