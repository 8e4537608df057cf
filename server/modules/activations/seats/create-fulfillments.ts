import { wireHostIdType } from '#contract/activations/hosts/host-fields.ts'
import type { createFulfillments as operation } from '#contract/activations/seats/change-seats.ts'
import { can } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, hasSameName } from '#domain/activations/hosts/host-duplicates.ts'
import { hostState } from '#domain/activations/hosts/host-list.ts'
import { savedQuantityError } from '#domain/activations/seats/activated-quantity.ts'
import { canBeActivated } from '#domain/activations/seats/activation-lists.ts'
import { isMaintenanceExpired, MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import { ensureHost, type HostRow, loadHostUse } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost } from '#server/modules/activations/hosts/named-host.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import { requireRehosting } from '#server/modules/activations/plans/rehosting.ts'
import { doneLines, type Refusal, refuseBatch } from '#server/modules/activations/seats/seat-lines.ts'
import { insertFulfillments } from '#server/modules/activations/seats/seats.queries.ts'
import { lockEntitlements, type SoldEntitlement } from '#server/modules/entitlements/entitlements.public.ts'
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

  const ids = activations.map(({ id }) => id)
  const entitlements = await lockEntitlements(db, customerNumber, ids)
  const reserved = await findReserved(db, customerNumber, ids)
  const today = dayIn(timeZone, now)
  const mayOverride = can(actor, 'activations.override-maintenance', standing).allowed
  const wanted = new Map<string, number>()
  const refusals = new Map<(typeof activations)[number], Refusal>()
  for (const element of activations) {
    const seats = (wanted.get(element.id) ?? 0) + element.count
    wanted.set(element.id, seats)
    const taken = seats + (reserved.get(element.id) ?? 0)
    const refusal = refusalOf(entitlements.get(element.id), taken, today, mayOverride)
    if (refusal) refusals.set(element, refusal)
  }
  refuseBatch(activations, refusals)

  const rows = activations.map(({ id, count }) => ({ activationId: id, host, count }))
  const fulfillmentIds = await insertFulfillments(db, { customerNumber, action, email: actor.email, now }, rows)
  const overridden = [...entitlements.values()].filter((one) => isUnmaintained(one, today))
  await call.audit({
    target: host.host_id,
    after: {
      action,
      activations: activations.map(({ id, count }) => ({ id, count })),
      ...(overridden.length ? { maintenanceOverridden: overridden.map((one) => one.activation_id) } : {}),
    },
  })
  return { data: doneLines(activations, fulfillmentIds) }
}

export function isUnmaintained({ is_permanent, version_date }: SoldEntitlement, today: CalendarDay): boolean {
  return isMaintenanceExpired({ isPermanent: is_permanent, versiondate: version_date }, today)
}

/** `seats`: what the request asks of this entitlement so far, and what plans hold of it. */
function refusalOf(
  one: SoldEntitlement | undefined,
  seats: number,
  today: CalendarDay,
  mayOverride: boolean,
): Refusal | undefined {
  if (!one) return { code: 'NO_SUCH_ACTIVATION', err: 'The account has no such entitlement.' }
  const isExpired = one.end_date !== null && one.end_date < today
  if (isExpired) return { code: 'ENTITLEMENT_EXPIRED', err: `${one.product_name} has expired.` }
  // With a seat to spare, so that only what it is counts here.
  const free = { ...toActivatable(one), activated: one.line_item_quantity - 1 }
  if (one.is_manual || !canBeActivated(free, today))
    return { code: 'NOT_ACTIVATABLE', err: `${one.product_name} cannot be activated on a license server.` }
  if (!mayOverride && isUnmaintained(one, today)) return { code: 'MAINTENANCE_EXPIRED', err: MAINTENANCE_EXPIRED }
  const err = savedQuantityError(seats, one.line_item_quantity - one.activated_count)
  return err === undefined ? undefined : { code: 'SEAT_GONE', err }
}

function toActivatable(one: SoldEntitlement) {
  return {
    state: one.state,
    kind: one.kind,
    licenseModel: one.license_model,
    productName: one.product_name,
    term: { startDate: one.start_date, endDate: one.end_date },
    quantity: one.line_item_quantity,
  }
}

/** The same machine under another name is a mistake, unless the account has stopped using it. */
async function refuseOtherName({ body, db }: Call<typeof operation>, host: HostRow): Promise<void> {
  const known: HostIdentity = {
    serverName: host.host_name,
    serverId: host.host_id,
    serverIdType: wireHostIdType(host.host_id, host.host_id_type),
  }
  if (hasSameName(known, body)) return
  const state = hostState(await loadHostUse(db, host))
  const choice = chooseAddedHost({ ...known, serverName: body.serverName }, [{ ...known, state }])
  if (choice.kind === 'refused') throw new BusinessRefusal('HOST_IN_USE', choice.message)
}
