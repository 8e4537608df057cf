import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor, Standing } from '#domain/access/standing.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { PlanAction, PlanRequest, PreviewedAction } from '#domain/activations/plans/host-plan.ts'
import type { HeldSeats, PlanStep } from '#domain/activations/plans/plan.ts'
import type { EndingSeats } from '#domain/activations/plans/renewal.ts'
import type { RawActivation } from '#domain/activations/seats/activation-row.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { loadGroup, type Member, toMembers } from '#server/modules/activations/hosts/group-members.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import type { PlannedFile } from '#server/modules/activations/license-files/preview-file.ts'
import type { CustomerMachine, ReservedSeats } from '#server/modules/activations/plans/host-plans.queries.ts'
import { loadActivationsOnMachineJson } from '#server/modules/activations/seats/seats.queries.ts'
import type { Services } from '#server/services.ts'

/** The call for which a draft is made: it starts a plan or previews it. */
export type DraftCall = {
  readonly actor: Actor
  readonly standing: Standing
  readonly db: Kysely<DB>
  readonly now: Date
  readonly services: Services
}

/** The parts of a change that the start of a plan needs. */
export type PlannedSeats = Pick<
  PlannedChange,
  'kind' | 'customerNumber' | 'server' | 'activationid' | 'count' | 'isTicked' | 'replaces'
>

export type PlannedChange = SeatChange & { readonly server: HostIdentity; readonly replaces?: string }

/** The parts of a draft that are stored when its plan starts. */
export type StoredDraft = {
  readonly action: PlanAction
  readonly request: PlanRequest
  readonly changes: readonly PlannedSeats[]
  readonly steps: readonly PlanStep[]
  /** The hosts that it changes. */
  readonly machines: readonly CustomerMachine[]
  /** Seats that nobody else may take until the plan is done; with 0 seats, those that the plan returns first. */
  readonly reserved: readonly ReservedSeats[]
  /** Rehosts only: customers that share the source and will not share the target. */
  readonly leavingMembers?: readonly Member[]
}

/** Everything that a plan would do, as the preview shows it. */
export type PlanDraft = Omit<StoredDraft, 'changes'> & {
  readonly action: PreviewedAction
  readonly changes: readonly PlannedChange[]
  /** Renewals only: what ends soon, also where nothing can replace it. */
  readonly endings?: readonly EndingSeats[]
  readonly becomesInactive: boolean
  readonly mayOverrideMaintenance: boolean
  readonly files: readonly PlannedFile[]
}

/** An unticked row of the confirmation. */
export type KeptRow = { readonly customerNumber: string; readonly id: string; readonly hostId?: string }

export function isKept(kept: readonly KeptRow[] | undefined, change: SeatChange & { server: HostIdentity }): boolean {
  const id = 'replaces' in change ? change.replaces : change.activationid
  return (kept ?? []).some(
    (one) =>
      one.customerNumber === change.customerNumber &&
      one.id === id &&
      (one.hostId === undefined || one.hostId === change.server.serverId),
  )
}

/**
 * Equal for drafts that would move the same seats and leave the same members behind, whatever is ticked, or that would generate the
 * files of the same hosts.
 */
export function basisOf({ action, changes, leavingMembers = [], machines }: StoredDraft): string {
  const rows = changes.map((one) => [
    one.kind,
    one.customerNumber,
    one.server.serverId,
    one.activationid,
    one.count,
    one.replaces ?? '',
  ])
  const leaving = leavingMembers.map(({ customerNumber }) => customerNumber)
  return createHash('sha256')
    .update(JSON.stringify([rows, leaving, ...(action === 'REGENERATE' ? [machines] : [])]))
    .digest('hex')
    .slice(0, 32)
}

/** A customer whose seats a plan may move. */
export type PlanCustomer = {
  readonly customerNumber: string
  readonly customerName: string
  readonly today: CalendarDay
}

/**
 * The customer that the call is about, and those who share its host and whom the caller manages. Seats of customers
 * that the caller does not manage, or that export compliance denies, stay where they are.
 */
export async function loadPlanCustomers(
  { actor, db, now, standing }: DraftCall,
  machine: Machine,
): Promise<{ customers: PlanCustomer[]; group: Member[] }> {
  const { customerNumber } = standing
  const group = await loadGroup(db, actor, customerNumber, machine)
  const own = await toMembers(db, actor, [customerNumber])
  const others = group.filter((one) => one.customerNumber !== customerNumber && one.isManaged && one.isApproved)
  return { customers: [...own, ...others].map((one) => toPlanCustomer(one, now)), group }
}

/** The customer that the call is about. */
export async function loadOwnCustomer({ actor, db, now, standing }: DraftCall): Promise<PlanCustomer> {
  const [own] = await toMembers(db, actor, [standing.customerNumber])
  if (!own) throw new Error(`The account ${standing.customerNumber} is gone`)
  return toPlanCustomer(own, now)
}

export function toPlanCustomer(
  { customerNumber, account }: Pick<Member, 'customerNumber' | 'account'>,
  now: Date,
): PlanCustomer {
  return { customerNumber, customerName: account.name, today: dayIn(account.timeZone, now) }
}

export type Holding = RawActivation & { readonly customerNumber: string }

/** What customers hold on a host now. */
export async function loadHoldings(
  db: Kysely<DB>,
  customers: readonly PlanCustomer[],
  machine: Machine,
): Promise<Holding[]> {
  return JSON.parse(await loadActivationsOnMachineJson(db, customers, machine, { activeOnly: true })) as Holding[]
}

export function heldSeats(holdings: readonly Holding[]): HeldSeats[] {
  return holdings.flatMap(({ customerNumber, ActivationId, AnsysFulfillments }) =>
    AnsysFulfillments.map((one) => ({ ...one, customerNumber, activationId: ActivationId })),
  )
}

/** The change of the seats of a host by the ticked rows. */
export function seatDeltas(changes: readonly PlannedSeats[]): PlannedFile['changes'] {
  return changes
    .filter(({ isTicked }) => isTicked)
    .map(({ kind, customerNumber, activationid, count }) => ({
      customerNumber,
      activationId: activationid,
      count: kind === 'activate' ? count : -count,
    }))
}
