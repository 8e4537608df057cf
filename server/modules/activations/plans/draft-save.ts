import type { Kysely } from 'kysely'
import type { saveActivations as operation } from '#contract/activations/plans/start-plans.ts'
import { can, isSelfServeAllowed } from '#domain/access/can.ts'
import type { Standing } from '#domain/access/standing.ts'
import { wantedGroup } from '#domain/activations/hosts/shared-server.ts'
import { licenseMail } from '#domain/activations/license-files/license-file.ts'
import type { FulfillmentOperation, PlanStep, SeatGoal, SeatStep } from '#domain/activations/plans/plan.ts'
import { planSave, type SaveRequest } from '#domain/activations/plans/save-plan.ts'
import type { DB } from '#server/db/schema.ts'
import type { Refusal } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { loadGroup, type Member, toMembers } from '#server/modules/activations/hosts/group-members.ts'
import { refuseSharedElsewhere } from '#server/modules/activations/hosts/group-steps.ts'
import { findHost, type NamedHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { identityOf, readHost, refuseOtherName, requireHost } from '#server/modules/activations/hosts/named-host.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import {
  heldSeats,
  loadHoldings,
  type PlannedSeats,
  type StoredDraft,
  toPlanCustomer,
} from '#server/modules/activations/plans/plan-draft.ts'
import {
  NO_SUCH_FULFILLMENT,
  refuseBatch,
  refusedCreations,
  refusedReturns,
  unmaintained,
} from '#server/modules/activations/seats/seat-refusals.ts'
import { findFulfilledActivations, lockFulfillments } from '#server/modules/activations/seats/seats.queries.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import type { Call } from '#server/operations/route.ts'

export type SaveCall = Omit<Call<typeof operation>, 'standing'> & { readonly standing: Standing }
type WantedSeats = SaveCall['body']['customers'][number]

/** The draft of a save, and the customers whose seats it changes. */
export type SaveDraft = StoredDraft & { readonly members: readonly Member[] }

export async function draftSave(call: SaveCall): Promise<SaveDraft> {
  const { actor, body, db, standing } = call
  const machine = readHost(body)
  const host = identityOf(machine)
  const known = await findHost(db, standing.customerNumber, machine)
  if (known) await refuseOtherName(db, known, host)
  if (body.customers.every(({ wanted }) => wanted.length === 0)) await requireHost(db, standing.customerNumber, machine)

  const numbers = body.customers.map(({ customerNumber }) => customerNumber)
  const group = await loadGroup(db, actor, standing.customerNumber, machine)
  const inGroup = group.map(({ customerNumber }) => customerNumber)
  const joining = wantedGroup(numbers).filter((one) => !inGroup.includes(one))
  await refuseSharedElsewhere(db, joining, [...numbers, ...inGroup], machine)

  const account = await loadAccount(db, standing.customerNumber)
  const support = { supportEmail: account.support_email, isSslAllowed: isSelfServeAllowed(actor, standing) }
  const mail = licenseMail(body.email ? 'email' : 'generate', support)
  const { steps, changes, members } = await planSeats(call, { machine, mail, group })
  return {
    action: 'SAVE',
    request: {
      source: host,
      target: null,
      customers: [...new Set([...numbers, ...group.filter((one) => one.isManaged).map((one) => one.customerNumber)])],
      port: machine.port,
      ...(body.ansysborrowed === undefined ? {} : { isBorrowable: body.ansysborrowed }),
    },
    changes,
    steps,
    machines: numbers.map((customerNumber) => ({ customerNumber, machine })),
    reserved: reservedSeats(changes),
    members,
  }
}

type SeatsCall = Pick<SaveCall, 'actor' | 'now'> & {
  readonly db: Kysely<DB>
  readonly body: Pick<SaveCall['body'], 'customers'>
}

/** The steps to the wanted seats. These are absolute numbers, so seats that are already there need no step. */
export async function planSeats(
  call: SeatsCall,
  { machine, mail, group }: Pick<SaveRequest, 'mail'> & { machine: NamedHost; group: readonly Member[] },
) {
  const { actor, body, db, now } = call
  const wanted = body.customers
  const members = await toMembers(
    db,
    actor,
    wanted.map(({ customerNumber }) => customerNumber),
  )
  const customers = members.map((one) => toPlanCustomer(one, now))
  const held = heldSeats(await loadHoldings(db, customers, machine))
  const goals = await Promise.all(customers.map(({ customerName }, index) => toGoal(db, wanted[index]!, customerName)))
  const steps = planSave({ host: identityOf(machine), goals, mail }, { held, members: group })
  const changes = steps.filter(isSeatStep).flatMap((step) => toPlannedSeats(step, goals))
  return { steps, changes, members, customers }
}

/** Refuses fulfillments that the customer never had. Those that were already returned need no step. */
async function toGoal(db: Kysely<DB>, wantedSeats: WantedSeats, customerName: string): Promise<SeatGoal> {
  const { customerNumber, returned = [], wanted } = wantedSeats
  const activationOf = returned.length
    ? await findFulfilledActivations(db, customerNumber, returned)
    : new Map<string, string>()
  const elements = returned.map((id) => ({ id, count: -1 }))
  const unknown = elements.filter(({ id }) => !activationOf.has(id))
  refuseBatch(elements, new Map(unknown.map((element) => [element, NO_SUCH_FULFILLMENT])))
  return {
    customerNumber,
    customerName,
    returned: returned.map((id) => ({ fulfillmentId: id, activationId: activationOf.get(id) ?? '' })),
    wanted: wanted.map(({ id, seats }) => ({ activationId: id, seats })),
  }
}

const isSeatStep = (step: PlanStep): step is SeatStep => step.kind === 'return' || step.kind === 'create'

function toPlannedSeats({ kind, host, customerNumber, activations }: SeatStep, goals: readonly SeatGoal[]) {
  const returned = goals.flatMap((goal) => (goal.customerNumber === customerNumber ? goal.returned : []))
  const activationOf = new Map(returned.map((one) => [one.fulfillmentId, one.activationId]))
  return activations.map(
    ({ id, count }): PlannedSeats => ({
      kind: kind === 'return' ? 'deactivate' : 'activate',
      customerNumber,
      server: host,
      activationid: kind === 'return' ? (activationOf.get(id) ?? '') : id,
      count: Math.abs(count),
      isTicked: true,
    }),
  )
}

/** Seats that the plan needs in addition to those that it returns first. */
function reservedSeats(changes: readonly PlannedSeats[]): StoredDraft['reserved'] {
  const arriving = changes.filter(({ kind }) => kind === 'activate')
  return arriving.map(({ customerNumber, activationid, count }) => ({
    customerNumber,
    activationId: activationid,
    seats: Math.max(count - returnedOf(changes, customerNumber, activationid), 0),
  }))
}

function returnedOf(changes: readonly PlannedSeats[], customerNumber: string, activationId: string): number {
  return changes
    .filter((one) => one.kind === 'deactivate' && one.customerNumber === customerNumber)
    .filter(({ activationid }) => activationid === activationId)
    .reduce((sum, { count }) => sum + count, 0)
}

/**
 * Refuses a save by its elements, before anything is done. Answers the entitlements whose expired maintenance is overridden.
 * The entitlements stay locked until the seats are reserved.
 */
export async function checkSave(call: SaveCall, { steps, changes, members }: SaveDraft): Promise<string[]> {
  const { actor, db, now } = call
  const elements: FulfillmentOperation[] = []
  const refusals = new Map<FulfillmentOperation, Refusal>()
  const overridden: string[] = []
  for (const { customerNumber, account } of members) {
    const own = steps.filter(isSeatStep).filter((step) => step.customerNumber === customerNumber)
    const [returns, creates] = (['return', 'create'] as const).map((kind) =>
      own.filter((step) => step.kind === kind).flatMap(({ activations }) => activations),
    ) as [FulfillmentOperation[], FulfillmentOperation[]]
    const { today } = toPlanCustomer({ customerNumber, account }, now)
    const mayOverrideMaintenance = can(actor, 'activations.override-maintenance', account.standing).allowed
    const rules = { today, mayOverrideMaintenance }
    const locked = await lockFulfillments(
      db,
      customerNumber,
      returns.map(({ id }) => id),
    )
    const ids = creates.map(({ id }) => id)
    const entitlements = await lockEntitlements(db, customerNumber, ids)
    const reserved = await findReserved(db, customerNumber, ids)
    // Seats that the save returns first are available to it.
    const afterReturns = new Map(
      [...entitlements].map(([id, one]) => [
        id,
        { ...one, activated_count: one.activated_count - returnedOf(changes, customerNumber, id) },
      ]),
    )
    elements.push(...returns, ...creates)
    for (const [element, refusal] of refusedReturns(returns, locked, rules)) refusals.set(element, refusal)
    for (const [element, refusal] of refusedCreations(creates, afterReturns, reserved, rules))
      refusals.set(element, refusal)
    overridden.push(...unmaintained([...locked.entitlements.values(), ...entitlements.values()], today))
  }
  refuseBatch(elements, refusals)
  return overridden
}
