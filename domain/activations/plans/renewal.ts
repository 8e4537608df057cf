import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type FulfillmentOperation, generateSteps, type PlanStep, seatSteps } from '#domain/activations/plans/plan.ts'
import { type RawActivation, seatsOf } from '#domain/activations/seats/activation-row.ts'
import { isMaintenanceExpired } from '#domain/activations/seats/expired-maintenance.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { licenseModelGroup } from '#domain/entitlements/license-model.ts'
import {
  EXPIRED,
  endsWithin,
  NOT_STARTED,
  type Remaining,
  remainingDays,
  type Soon,
} from '#domain/entitlements/term.ts'

/** Seats that end within this many days can be replaced. */
export const RENEWAL_DAYS = 90

/** The ending seats leave with the first day of the renewal. Before that day the license server needs both. */
export const replacesSeats = (renewalStart: CalendarDay, today: CalendarDay): boolean => renewalStart <= today

/** A host and what it holds. */
export type HostHoldings<H = HostIdentity> = { readonly host: H; readonly held: readonly RawActivation[] }

/** Seats of an entitlement on a host that another one of the same product takes over. */
export type Renewal = {
  readonly host: HostIdentity
  readonly ending: RawActivation
  readonly renewal: RawActivation
  readonly seats: number
  /** What leaves the host. Nothing while the renewal has not started: the ending seats are used until then. */
  readonly returned: readonly FulfillmentOperation[]
}

/** Seats on a host that end soon, and for how many of them there is no renewal. */
export type EndingSeats = SeatsToRenew<HostIdentity> & { readonly unrenewed: number }

/** Seats on a host that end soon. `needed` leaves out those that a renewal on the host takes over on its first day. */
type SeatsToRenew<H> = {
  readonly host: H
  readonly ending: RawActivation
  readonly seats: number
  readonly needed: number
}

/**
 * Assigns available entitlements to ending seats. Seats that end first come first, and renewals that start first are
 * used first. If a renewal has too few seats, the next one is used as well. Seats without a renewal stay as they are.
 */
export function matchRenewals(
  hosts: readonly HostHoldings[],
  available: readonly RawActivation[],
  today: CalendarDay,
): { renewals: Renewal[]; endings: EndingSeats[] } {
  const free = new Map(available.map((one) => [one.ActivationId, one.LineItemQuantity - one.AnsysActivated]))
  const candidates = available.filter((one) => isRenewal(one, today)).sort(byTerm)
  const found = seatsToRenew(hosts, today).map((one) => {
    const { host, ending } = one
    const fulfillments = [...ending.AnsysFulfillments]
    const fitting = candidates.filter((candidate) => canReplace(ending, candidate))
    let unrenewed = one.needed
    const renewals = fitting.flatMap((renewal): Renewal[] => {
      const seats = Math.min(unrenewed, free.get(renewal.ActivationId) ?? 0)
      if (seats <= 0) return []
      unrenewed -= seats
      free.set(renewal.ActivationId, (free.get(renewal.ActivationId) ?? 0) - seats)
      const returned = replacesSeats(renewal.StartDate, today) ? takeFulfillments(fulfillments, seats) : []
      return [{ host, ending, renewal, seats, returned }]
    })
    return { renewals, ending: { ...one, unrenewed } }
  })
  return { renewals: found.flatMap(({ renewals }) => renewals), endings: found.map(({ ending }) => ending) }
}

/** Seats that still need a renewal, those that end first before the others. */
export function seatsToRenew<H extends { readonly serverId: string }>(
  hosts: readonly HostHoldings<H>[],
  today: CalendarDay,
): SeatsToRenew<H>[] {
  return hosts
    .flatMap(({ host, held }) => {
      const waiting = waitingSeats(held, today)
      return held.filter((one) => isEnding(one, today)).map((ending) => ({ host, ending, waiting }))
    })
    .sort((one, other) => byEnd(one.ending, other.ending) || compare(one.host.serverId, other.host.serverId))
    .map(({ host, ending, waiting }) => {
      const seats = seatsOf(ending.AnsysFulfillments)
      return { host, ending, seats, needed: seats - take(waiting, seats, (one) => canReplace(ending, one)) }
    })
    .filter(({ needed }) => needed > 0)
}

/** Seats that end soon. Seats that have ended, never end or have not begun do not count. */
function isEnding(one: RawActivation, today: CalendarDay): boolean {
  const remaining = remainingOf(one, today)
  return seatsOf(one.AnsysFulfillments) > 0 && typeof remaining === 'number' && remaining <= RENEWAL_DAYS
}

/** How many entitlements end within some days, each once, on however many license servers its seats are. */
export function countEndingSoon(
  endings: readonly { readonly activationid: string; readonly enddate: CalendarDay }[],
  soon: Soon,
): number {
  return new Set(endings.filter(({ enddate }) => endsWithin(enddate, soon)).map(({ activationid }) => activationid))
    .size
}

/** An entitlement that itself ends soon renews nothing. */
function isRenewal(one: RawActivation, today: CalendarDay): boolean {
  const remaining = remainingOf(one, today)
  const isMaintained = !isMaintenanceExpired(
    { isPermanent: one.IsActivationPermanent === 'true', versiondate: one.VersionDate },
    today,
  )
  return isMaintained && remaining !== EXPIRED && (typeof remaining !== 'number' || remaining > RENEWAL_DAYS)
}

/** A renewal is the same product, licensed in the same way, for longer. An evaluation renews evaluations only. */
function canReplace(ending: RawActivation, renewal: RawActivation): boolean {
  return (
    ending.ActivationId !== renewal.ActivationId &&
    ending.ProductName === renewal.ProductName &&
    groupOf(ending) === groupOf(renewal) &&
    isEvaluation(ending) === isEvaluation(renewal) &&
    endOf(renewal) > endOf(ending)
  )
}

/** Renewals that are on the host already and wait for their first day: they have taken over seats before. */
function waitingSeats(held: readonly RawActivation[], today: CalendarDay) {
  return held
    .filter((one) => remainingOf(one, today) === NOT_STARTED)
    .map((one) => ({ one, seats: seatsOf(one.AnsysFulfillments) }))
}

function take(
  waiting: { readonly one: RawActivation; seats: number }[],
  wanted: number,
  fits: (one: RawActivation) => boolean,
): number {
  let taken = 0
  for (const source of waiting.filter(({ one }) => fits(one))) {
    const seats = Math.min(source.seats, wanted - taken)
    source.seats -= seats
    taken += seats
  }
  return taken
}

/** Seats of fulfillments, the oldest first; what is taken is gone from the list. */
function takeFulfillments(
  fulfillments: { readonly FulfillmentID: string; readonly FulfillCount: number }[],
  wanted: number,
): FulfillmentOperation[] {
  const taken: FulfillmentOperation[] = []
  let left = wanted
  while (left > 0 && fulfillments[0]) {
    const [{ FulfillmentID, FulfillCount }] = fulfillments as [(typeof fulfillments)[number]]
    const seats = Math.min(FulfillCount, left)
    left -= seats
    taken.push({ id: FulfillmentID, count: -seats })
    if (seats === FulfillCount) fulfillments.shift()
    else fulfillments[0] = { FulfillmentID, FulfillCount: FulfillCount - seats }
  }
  return taken
}

const NEVER = '9999-12-31'
const isPermanent = (one: RawActivation) => one.IsActivationPermanent === 'true'
const endOf = (one: RawActivation): CalendarDay => (isPermanent(one) ? NEVER : (one.EndDate ?? NEVER))
const isEvaluation = (one: RawActivation) => one['CA[ENT|ansystype]'] === 'Evaluation'
const groupOf = (one: RawActivation) => licenseModelGroup(one.LicenseModel, one.ProductName)
const remainingOf = (one: RawActivation, today: CalendarDay): Remaining =>
  remainingDays({ startDate: one.StartDate, endDate: isPermanent(one) ? null : one.EndDate }, today)

const compare = (one: string, other: string) => Number(one > other) - Number(one < other)
const byEnd = (one: RawActivation, other: RawActivation) =>
  compare(endOf(one), endOf(other)) || compare(one.ActivationId, other.ActivationId)
const byTerm = (one: RawActivation, other: RawActivation) =>
  compare(one.StartDate, other.StartDate) || byEnd(one, other)

type Customer = { readonly customerNumber: string; readonly customerName: string }

/**
 * Host by host: the renewal comes before the ending seats go, so that there is no moment without licenses; then the files
 * of everybody who shares the host.
 */
export function planRenewal(
  renewals: readonly Renewal[],
  customer: Customer,
  sharing: (host: HostIdentity) => readonly Customer[],
): PlanStep[] {
  return [...Map.groupBy(renewals, ({ host }) => host)].flatMap(([host, own]) => {
    const created = summed(own.map(({ renewal, seats }) => ({ id: renewal.ActivationId, count: seats })))
    const returned = summed(own.flatMap((one) => one.returned))
    return [
      ...seatSteps({ kind: 'create', host, action: 'EDIT' }, customer, created),
      ...seatSteps({ kind: 'return', host, action: 'EDIT' }, customer, returned),
      ...generateSteps(host, sharing(host)),
    ]
  })
}

/**
 * One element per id: a renewal can take over seats of several entitlements, and an entitlement can have several
 * renewals.
 */
function summed(operations: readonly FulfillmentOperation[]): FulfillmentOperation[] {
  return [...Map.groupBy(operations, ({ id }) => id)].map(([id, same]) => ({
    id,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
}
