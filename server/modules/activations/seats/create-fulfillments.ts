import type { createFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, hasSameName } from '#domain/activations/hosts/host-duplicates.ts'
import { hostState } from '#domain/activations/hosts/host-list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import { ensureHost, type HostRow, loadHostUse } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost } from '#server/modules/activations/hosts/named-host.ts'
import { toHostIdentity } from '#server/modules/activations/license-files/license-file.mapping.ts'
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
  await refuseOtherName(call, host)

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

/** A known machine under another name is a mistake, unless the account has stopped using it. */
async function refuseOtherName({ body, db }: Call<typeof operation>, host: HostRow): Promise<void> {
  const known: HostIdentity = toHostIdentity(host)
  if (hasSameName(known, body)) return
  const state = hostState(await loadHostUse(db, host))
  const choice = chooseAddedHost({ ...known, serverName: body.serverName }, [{ ...known, state }])
  if (choice.kind === 'refused') throw new BusinessRefusal('HOST_IN_USE', choice.message)
}
