import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { batches, type PlanStep } from '#domain/activations/plans/plan.ts'
import {
  type FulfillmentOperation,
  type HeldSeats,
  operationsToCreate,
  operationsToReturn,
  type SeatGoal,
} from '#domain/activations/seats/seat-goal.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

type SeatStep = Extract<PlanStep, { kind: 'return' | 'create' }>

/** Changes of seats, several in a step. Nothing to do gives no step. */
export function seatSteps(
  { kind, host, action }: Pick<SeatStep, 'kind' | 'host' | 'action'>,
  { customerNumber, customerName }: Pick<SeatGoal, 'customerNumber' | 'customerName'>,
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
export function generateSteps(
  host: HostIdentity,
  customers: readonly Pick<SeatGoal, 'customerNumber' | 'customerName'>[],
): PlanStep[] {
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
