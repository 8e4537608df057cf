import type { Kysely } from 'kysely'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import {
  matchRenewals,
  planRenewal,
  RENEWAL_DAYS,
  type Renewal,
  seatsToRenew,
} from '#domain/activations/plans/renewal.ts'
import { activationRow, type RawActivation } from '#domain/activations/seats/activation-row.ts'
import { seatChange } from '#domain/activations/seats/seat-changes.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { endDateWith, endsWithin, type Soon } from '#domain/entitlements/term.ts'
import type { DB } from '#server/db/schema.ts'
import { listHostsEnding } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine, requireHost, toHostIdentity, toNamedHost } from '#server/modules/activations/hosts/named-host.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import {
  type DraftCall,
  isKept,
  type KeptRow,
  loadHoldings,
  loadOwnCustomer,
  loadPlanCustomers,
  type PlanCustomer,
  type PlanDraft,
  type PlannedChange,
} from '#server/modules/activations/plans/plan-draft.ts'
import { listEndingHoldings, loadActivatableJson } from '#server/modules/activations/seats/seats.queries.ts'

type RenewBody = {
  readonly hostId?: string | undefined
  readonly hostIdType?: string | undefined
  readonly kept?: readonly KeptRow[] | undefined
}

/** Replaces what ends soon with available entitlements of the same product, on one host or on all of the account. */
export async function draftRenewal(call: DraftCall, body: RenewBody): Promise<PlanDraft> {
  const { db, standing } = call
  const { customerNumber } = standing
  const source = body.hostId
    ? await requireHost(db, customerNumber, readMachine(body.hostId, body.hostIdType))
    : undefined
  const own = await loadOwnCustomer(call)
  const rows = source ? [source] : await listHostsEnding(db, customerNumber, endDateWith(RENEWAL_DAYS, own.today))
  const hosts = await Promise.all(
    rows.map(async (row) => {
      const machine = toNamedHost(row)
      const { customers } = await loadPlanCustomers(call, machine)
      return { row, machine, customers, host: toHostIdentity(row), held: await loadHoldings(db, [own], machine) }
    }),
  )
  const { renewals, endings } = matchRenewals(hosts, await loadAvailable(call, own), own.today)
  const found = renewals.map((renewal) => {
    const changes = changesOf(renewal, own)
    return { renewal, changes, isTicked: !changes.some((one) => isKept(body.kept, one)) }
  })
  const ticked = found.filter(({ isTicked }) => isTicked).map(({ renewal }) => renewal)
  const changed = hosts.filter(({ host }) => ticked.some((one) => one.host === host))
  const sharing = (host: HostIdentity) => hosts.find((one) => one.host === host)?.customers ?? [own]
  const steps = planRenewal(ticked, { customerNumber, customerName: own.customerName }, sharing)
  return {
    action: 'RENEW',
    request: {
      source: source ? toHostIdentity(source) : null,
      target: null,
      customers: [...new Set([customerNumber, ...changed.flatMap(({ customers }) => customers.map(numberOf))])],
    },
    changes: found.flatMap(({ changes, isTicked }) => changes.map((one) => ({ ...one, isTicked }))),
    steps,
    machines: changed.map(({ machine }) => ({ customerNumber, machine })),
    reserved: [...Map.groupBy(ticked, ({ renewal }) => renewal.ActivationId)].map(([activationId, same]) => ({
      customerNumber,
      activationId,
      seats: same.reduce((sum, { seats }) => sum + seats, 0),
    })),
    endings,
    becomesInactive: false,
    mayOverrideMaintenance: false,
    files: changed.map(({ row, machine, customers, host }) => ({
      named: machine,
      customers,
      isBorrowable: row.is_borrowable,
      changes: ticked
        .filter((one) => one.host === host)
        .flatMap(({ renewal, ending, seats, returned }) => [
          { customerNumber, activationId: renewal.ActivationId, count: seats },
          ...returned.map(({ count }) => ({ customerNumber, activationId: ending.ActivationId, count })),
        ]),
    })),
  }
}

/** The first day on which seats on license servers end that no renewal takes over; null if there is none soon. */
export async function findFirstToRenew(
  db: Kysely<DB>,
  customerNumber: string,
  soon: Soon,
): Promise<CalendarDay | null> {
  const { days, today } = soon
  const hosts = await listEndingHoldings(db, { customerNumber, today }, endDateWith(days, today))
  const ends = seatsToRenew(hosts, today).map(({ ending }) => ending.EndDate)
  return ends.find((day) => day !== null && endsWithin(day, soon)) ?? null
}

/** Available entitlements, less the seats that other plans hold. */
async function loadAvailable({ db }: DraftCall, own: PlanCustomer): Promise<RawActivation[]> {
  const available = JSON.parse(await loadActivatableJson(db, own)) as RawActivation[]
  const ids = available.map(({ ActivationId }) => ActivationId)
  const reserved = await findReserved(db, own.customerNumber, ids)
  return available.map((one) => ({
    ...one,
    AnsysActivated: one.AnsysActivated + (reserved.get(one.ActivationId) ?? 0),
  }))
}

function changesOf({ host, ending, renewal, seats, returned }: Renewal, own: PlanCustomer): PlannedChange[] {
  const change = (kind: PlannedChange['kind'], raw: RawActivation, count: number): PlannedChange => ({
    ...seatChange(kind, own, activationRow(raw, own.today), own.today),
    server: host,
    count,
  })
  const leaving = returned.reduce((sum, { count }) => sum - count, 0)
  return [
    ...(leaving > 0 ? [change('deactivate', ending, leaving)] : []),
    { ...change('activate', renewal, seats), replaces: ending.ActivationId },
  ]
}

const numberOf = ({ customerNumber }: PlanCustomer) => customerNumber
