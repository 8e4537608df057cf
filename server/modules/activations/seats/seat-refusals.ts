import type { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import type { FulfillmentOperation } from '#domain/activations/plans/plan.ts'
import { savedQuantityError } from '#domain/activations/seats/activated-quantity.ts'
import { ACTIVATION_ERRORS } from '#domain/activations/seats/activation-error.ts'
import { canBeActivated } from '#domain/activations/seats/activation-lists.ts'
import { isMaintenanceExpired, MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Config } from '#server/config.ts'
import { BatchRefusal, BusinessRefusal, type Refusal } from '#server/http/http-error.ts'
import type { LockedFulfillments } from '#server/modules/activations/seats/seats.queries.ts'
import type { SoldEntitlement } from '#server/modules/entitlements/entitlements.public.ts'

/**
 * Facts, apart from the entitlement, that decide whether seats may change: the customer's day and the person's rights.
 */
export type SeatRules = { readonly today: CalendarDay; readonly mayOverrideMaintenance: boolean }

type Refusals = Map<FulfillmentOperation, Refusal>

/** Which elements of a return are refused, and why. */
export function refusedReturns(
  activations: readonly FulfillmentOperation[],
  { entitlements, held }: LockedFulfillments,
  { today, mayOverrideMaintenance }: SeatRules,
): Refusals {
  const left = new Map([...held].map(([id, { seats }]) => [id, seats]))
  const refusals: Refusals = new Map()
  for (const element of activations) {
    const entitlement = entitlements.get(element.id)
    const seats = (left.get(element.id) ?? 0) + element.count
    left.set(element.id, seats)
    if (!entitlement) refusals.set(element, NO_SUCH_FULFILLMENT)
    else if (seats < 0) refusals.set(element, NOT_HELD)
    else if (!mayOverrideMaintenance && isUnmaintained(entitlement, today)) refusals.set(element, UNMAINTAINED)
  }
  return refusals
}

/** Which elements of an activation are refused, and why. `reserved`: seats that plans hold, by activation id. */
export function refusedCreations(
  activations: readonly FulfillmentOperation[],
  entitlements: ReadonlyMap<string, SoldEntitlement>,
  reserved: ReadonlyMap<string, number>,
  rules: SeatRules,
): Refusals {
  const wanted = new Map<string, number>()
  const refusals: Refusals = new Map()
  for (const element of activations) {
    const seats = (wanted.get(element.id) ?? 0) + element.count
    wanted.set(element.id, seats)
    const refusal = refusalOf(entitlements.get(element.id), seats + (reserved.get(element.id) ?? 0), rules)
    if (refusal) refusals.set(element, refusal)
  }
  return refusals
}

/** Entitlements with expired maintenance, for the audit log: changing their seats overrides it. */
export function overriddenMaintenance(entitlements: Iterable<SoldEntitlement>, today: CalendarDay): object {
  const overridden = unmaintained(entitlements, today)
  return overridden.length ? { maintenanceOverridden: overridden } : {}
}

export function unmaintained(entitlements: Iterable<SoldEntitlement>, today: CalendarDay): string[] {
  const ids = [...entitlements].filter((one) => isUnmaintained(one, today)).map((one) => one.activation_id)
  return [...new Set(ids)]
}

function isUnmaintained({ is_permanent, version_date }: SoldEntitlement, today: CalendarDay): boolean {
  return isMaintenanceExpired({ isPermanent: is_permanent, versiondate: version_date }, today)
}

/** `seats`: seats of this entitlement that the request wants so far, and that plans hold. */
function refusalOf(
  one: SoldEntitlement | undefined,
  seats: number,
  { today, mayOverrideMaintenance }: SeatRules,
): Refusal | undefined {
  if (!one) return { code: 'NO_SUCH_ACTIVATION', err: 'The account has no such entitlement.' }
  const isExpired = one.end_date !== null && one.end_date < today
  if (isExpired) return { code: 'ENTITLEMENT_EXPIRED', err: `${one.product_name} has expired.` }
  // Assume one free seat: check only type and dates.
  const free = { ...toActivatable(one), activated: one.line_item_quantity - 1 }
  if (one.is_manual || !canBeActivated(free, today))
    return { code: 'NOT_ACTIVATABLE', err: `${one.product_name} cannot be activated on a license server.` }
  if (!mayOverrideMaintenance && isUnmaintained(one, today)) return UNMAINTAINED
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

export const NO_SUCH_FULFILLMENT: Refusal = { code: 'NO_SUCH_FULFILLMENT', err: 'The account has no such fulfillment.' }
const NOT_HELD: Refusal = { code: 'NOT_HELD', err: 'These seats have been returned already.' }
const UNMAINTAINED: Refusal = { code: 'MAINTENANCE_EXPIRED', err: MAINTENANCE_EXPIRED }

type SeatLine = DataOf<typeof createFulfillments>[number]

const NOTHING_DONE: Refusal = { code: 'BATCH_REFUSED', err: 'Nothing of this request was done.' }

/** One refused element refuses the whole request; the answer says which elements it was. */
export function refuseBatch(
  elements: readonly FulfillmentOperation[],
  refusals: ReadonlyMap<FulfillmentOperation, Refusal>,
): void {
  const [first] = refusals.values()
  if (!first) return
  const lines = elements.map((element): SeatLine => {
    const { code, err } = refusals.get(element) ?? NOTHING_DONE
    return { id: element.id, FulfillCount: element.count, status: 'FAILURE', code, err }
  })
  throw new BatchRefusal(first.code, first.err, lines)
}

export function doneLines(elements: readonly FulfillmentOperation[], fulfillmentIds: readonly string[]): SeatLine[] {
  return elements.map(({ id, count }, index) => ({
    id,
    FulfillmentID: fulfillmentIds[index] ?? '',
    FulfillCount: count,
    status: 'SUCCESS',
  }))
}

/** A setting can switch rehosting off for the whole portal. */
export function requireRehosting({ rehosting }: Config): void {
  if (!rehosting) throw new BusinessRefusal('REHOSTING_OFF', ACTIVATION_ERRORS.rehost)
}
