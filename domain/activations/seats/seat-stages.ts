import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { batches, firstAlone, inPool, type PlanStep, type Stage } from '#domain/activations/plans/plan.ts'
import {
  type FulfillmentOperation,
  type HeldSeats,
  operationsToCreate,
  operationsToReturn,
  type SeatGoal,
} from '#domain/activations/seats/seat-goal.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

/**
 * Batches are cut from the whole goal and only then reduced to what is left. So a call that was interrupted comes back
 * with the same content, and its idempotency key is the same.
 */
export function returnStages(
  host: HostIdentity,
  action: FulfillmentAction,
  goals: readonly SeatGoal[],
  held: readonly HeldSeats[],
): Stage[] {
  const steps = goals.flatMap((goal) =>
    batches(goal.returned).map((batch) =>
      step('return', host, action, goal, operationsToReturn(batch, heldBy(goal, held))),
    ),
  )
  return [inPool(steps.filter(hasWork))]
}

export function createStages(
  host: HostIdentity,
  action: FulfillmentAction,
  goals: readonly SeatGoal[],
  held: readonly HeldSeats[],
): Stage[] {
  const steps = goals.flatMap((goal) =>
    batches(goal.wanted).map((batch) =>
      step('create', host, action, goal, operationsToCreate(batch, goal, heldBy(goal, held))),
    ),
  )
  return firstAlone(steps.filter(hasWork))
}

/** License files of a host: one for each customer that has licenses on it. */
export function generateStage(host: HostIdentity, goals: readonly SeatGoal[]): Stage {
  return inPool(
    goals.map(({ customerNumber, customerName }) => ({ kind: 'generate', host, customerNumber, customerName })),
  )
}

/** Customers that keep seats on the host. */
export function stayingGoals(goals: readonly SeatGoal[], held: readonly HeldSeats[]): SeatGoal[] {
  return goals.filter((goal) => {
    const leaving = new Set(goal.returned.map(({ fulfillmentId }) => fulfillmentId))
    return heldBy(goal, held).some(({ FulfillmentID }) => !leaving.has(FulfillmentID))
  })
}

type SeatStep = Extract<PlanStep, { kind: 'return' | 'create' }>

const heldBy = (goal: SeatGoal, held: readonly HeldSeats[]) =>
  held.filter(({ customerNumber }) => customerNumber === goal.customerNumber)

const hasWork = ({ activations }: SeatStep) => activations.length > 0

function step(
  kind: SeatStep['kind'],
  host: HostIdentity,
  action: FulfillmentAction,
  { customerNumber, customerName }: SeatGoal,
  activations: readonly FulfillmentOperation[],
): SeatStep {
  return { kind, host, action, customerNumber, customerName, activations }
}
