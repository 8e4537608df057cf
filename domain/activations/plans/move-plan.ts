import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { isSameGroup, wantedGroup } from '#domain/activations/hosts/shared-server.ts'
import {
  createSteps,
  generateSteps,
  type HeldSeats,
  type PlanStep,
  returnSteps,
  type SeatGoal,
  stayingGoals,
} from '#domain/activations/plans/plan.ts'

type OneHost = {
  readonly host: HostIdentity
  readonly held: readonly HeldSeats[]
  /** Customers that share it. */
  readonly members: readonly string[]
}

export type RehostRequest = {
  /** What leaves the source, and what arrives at the target: see `seatGoals`. */
  readonly goals: readonly SeatGoal[]
  /** Nothing stays on the source: see `isHostLeft`. */
  readonly isSourceLeft: boolean
}

/**
 * The steps of a rehost, or what is left of them. Everybody who has a goal shares the target, with or without seats.
 * A source that keeps seats keeps its group and gets a new license file as well. No step makes a host active or inactive:
 * that follows from its seats.
 */
export function planRehost({ goals, isSourceLeft }: RehostRequest, source: OneHost, target: OneHost): PlanStep[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  // The goals' fulfillments are the source's. On the target none of them leaves.
  const arriving = goals.filter(({ wanted }) => wanted.length > 0).map((goal) => ({ ...goal, returned: [] }))
  const group = wantedGroup(goals.map((goal) => goal.customerNumber))
  const isGroupSet = isSameGroup(target.members, group)
  const [from, to] = [{ host: source.host }, { host: target.host }]
  return [
    ...returnSteps(source.host, 'REHOST', goals, source.held),
    ...(isSourceLeft && source.members.length ? [{ kind: 'deactivate group', ...from, customerNumber } as const] : []),
    ...createSteps(target.host, 'REHOST', arriving, target.held),
    ...(isGroupSet || group.length === 0 ? [] : [{ kind: 'set group', ...to, customerNumber, group } as const]),
    ...generateSteps(target.host, arriving),
    ...(isSourceLeft ? [] : generateSteps(source.host, stayingGoals(goals, source.held))),
  ]
}

export type DeactivateRequest = {
  readonly host: HostIdentity
  readonly goals: readonly SeatGoal[]
  /** Nothing stays on the host: see `isHostLeft`. */
  readonly isHostLeft: boolean
}

/** Returns every seat of the host. Where unticked ones stay, the host stays active, keeps its group and gets a new file. */
export function planDeactivate(
  { host, goals, isHostLeft }: DeactivateRequest,
  { held, members }: Omit<OneHost, 'host'>,
): PlanStep[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  return [
    ...returnSteps(host, 'DEACTIVATE', goals, held),
    ...(isHostLeft && members.length ? [{ kind: 'deactivate group', host, customerNumber } as const] : []),
    ...generateSteps(host, stayingGoals(goals, held)),
  ]
}
