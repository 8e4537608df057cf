import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type HostFulfillment, seatsOf } from '#domain/activations/seats/activation-row.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

type OnHost = { readonly host: HostIdentity }
type OfCustomer = { readonly customerNumber: string; readonly customerName: string }

/** One transaction of the server. A plan is a list of steps, done one after the other. */
export type PlanStep =
  | SeatStep
  | (OnHost & { readonly kind: 'override' | 'deactivate group'; readonly customerNumber: string })
  | (OnHost & { readonly kind: 'set group'; readonly customerNumber: string; readonly group: readonly string[] })
  | (OnHost &
      OfCustomer & {
        readonly kind: 'generate'
        /** Set when the step is done: the customer has no licenses, so there is no file. */
        readonly isSkipped?: true
      })
  | (OnHost & {
      readonly kind: 'email'
      readonly customerNumber: string
      readonly supportEmailTo: string
      readonly supportEmailCc: string
    })

export type SeatStep = OnHost &
  OfCustomer & {
    readonly kind: 'return' | 'create'
    readonly action: FulfillmentAction
    readonly activations: readonly FulfillmentOperation[]
    /** Set when the step is done: the seats that it has returned or activated. */
    readonly did?: readonly { readonly activationId: string; readonly seats: number }[]
  }

/** How many activations one step carries. */
export const BATCH_SIZE = 25

export function batches<T>(elements: readonly T[], size = BATCH_SIZE): T[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, index) =>
    elements.slice(index * size, (index + 1) * size),
  )
}

/**
 * The wanted seats of a customer on one host, in absolute terms: which fulfillments are returned, and how many seats there
 * are apart from them. The difference to the ledger is what is left to do, so it can be computed again after an interruption.
 */
export type SeatGoal = OfCustomer & {
  readonly returned: readonly { readonly activationId: string; readonly fulfillmentId: string }[]
  readonly wanted: readonly { readonly activationId: string; readonly seats: number }[]
}

/** What a customer holds on a host now: net seats per fulfillment. */
export type HeldSeats = HostFulfillment & { readonly customerNumber: string; readonly activationId: string }

/** An id and a signed count, as the calls take them: a fulfillment to return (negative), or an entitlement to activate. */
export type FulfillmentOperation = { readonly id: string; readonly count: number }

/** One goal per customer, also for those whose seats stay as they are. */
export function seatGoals(customers: readonly OfCustomer[], changes: readonly SeatChange[]): SeatGoal[] {
  return customers.map(({ customerNumber, customerName }) => {
    const own = changes.filter((change) => change.isTicked && change.customerNumber === customerNumber)
    const returned = own
      .filter(({ kind }) => kind === 'deactivate')
      .flatMap(({ activationid, fulfillments }) =>
        fulfillments.map(({ FulfillmentID }) => ({ activationId: activationid, fulfillmentId: FulfillmentID })),
      )
    const leaving = new Set(returned.map(({ fulfillmentId }) => fulfillmentId))
    const wanted = own
      .filter(({ kind }) => kind === 'activate')
      .map(({ activationid, fulfillments, count }) => {
        const staying = fulfillments.filter(({ FulfillmentID }) => !leaving.has(FulfillmentID))
        return { activationId: activationid, seats: seatsOf(staying) + count }
      })
    return { customerNumber, customerName, returned, wanted }
  })
}

/** What is still to be returned, given what the customer holds now. */
function operationsToReturn({ returned }: SeatGoal, held: readonly HeldSeats[]): FulfillmentOperation[] {
  const counts = new Map(held.map(({ FulfillmentID, FulfillCount }) => [FulfillmentID, FulfillCount]))
  return returned
    .map(({ fulfillmentId }) => ({ id: fulfillmentId, count: -(counts.get(fulfillmentId) ?? 0) }))
    .filter(({ count }) => count < 0)
}

/** What is still to be activated, given what the customer holds now. */
function operationsToCreate({ returned, wanted }: SeatGoal, held: readonly HeldSeats[]): FulfillmentOperation[] {
  const leaving = new Set(returned.map(({ fulfillmentId }) => fulfillmentId))
  const staying = held.filter(({ FulfillmentID }) => !leaving.has(FulfillmentID))
  return wanted
    .map(({ activationId, seats }) => {
      const there = seatsOf(staying.filter((one) => one.activationId === activationId))
      return { id: activationId, count: seats - there }
    })
    .filter(({ count }) => count > 0)
}

/** Changes of seats in batches, one per step. No changes give no step. */
export function seatSteps(
  { kind, host, action }: Pick<SeatStep, 'kind' | 'host' | 'action'>,
  { customerNumber, customerName }: OfCustomer,
  operations: readonly FulfillmentOperation[],
): SeatStep[] {
  return batches(operations).map((activations) => ({ kind, host, action, customerNumber, customerName, activations }))
}

export function returnSteps(
  host: HostIdentity,
  action: FulfillmentAction,
  goals: readonly SeatGoal[],
  held: readonly HeldSeats[],
): SeatStep[] {
  return goals.flatMap((goal) =>
    seatSteps({ kind: 'return', host, action }, goal, operationsToReturn(goal, heldBy(goal, held))),
  )
}

export function createSteps(
  host: HostIdentity,
  action: FulfillmentAction,
  goals: readonly SeatGoal[],
  held: readonly HeldSeats[],
): SeatStep[] {
  return goals.flatMap((goal) =>
    seatSteps({ kind: 'create', host, action }, goal, operationsToCreate(goal, heldBy(goal, held))),
  )
}

/** License files of a host: one for each customer that has licenses on it. */
export function generateSteps(host: HostIdentity, customers: readonly OfCustomer[]): PlanStep[] {
  return customers.map(({ customerNumber, customerName }) => ({ kind: 'generate', host, customerNumber, customerName }))
}

/** Customers that keep seats on the host. */
export function stayingGoals(goals: readonly SeatGoal[], held: readonly HeldSeats[]): SeatGoal[] {
  return goals.filter((goal) => {
    const leaving = new Set(goal.returned.map(({ fulfillmentId }) => fulfillmentId))
    return heldBy(goal, held).some(({ FulfillmentID }) => !leaving.has(FulfillmentID))
  })
}

const heldBy = (goal: SeatGoal, held: readonly HeldSeats[]) =>
  held.filter(({ customerNumber }) => customerNumber === goal.customerNumber)
