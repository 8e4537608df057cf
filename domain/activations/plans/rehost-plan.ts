import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type GroupMember, isSameGroup, wantedGroup } from '#domain/activations/hosts/shared-server.ts'
import { alone, type Stage, withoutEmpty } from '#domain/activations/plans/plan.ts'
import type { HeldSeats, SeatGoal } from '#domain/activations/seats/seat-goal.ts'
import { createStages, generateStage, returnStages, stayingGoals } from '#domain/activations/seats/seat-stages.ts'

type OneHost = {
  readonly host: HostIdentity
  readonly held: readonly HeldSeats[]
  readonly members: readonly GroupMember[]
}

export type RehostRequest = {
  /** What leaves the source, and what arrives at the target: see `seatGoals`. */
  readonly goals: readonly SeatGoal[]
  /** Nothing stays on the source: see `isHostLeft`. */
  readonly isSourceLeft: boolean
}

/**
 * The seven steps of a rehost, or what is left of them. Everybody who has a goal shares the target, with or without seats.
 * A source that keeps seats stays active, keeps its group and gets a new license file as well.
 */
export function planRehost({ goals, isSourceLeft }: RehostRequest, source: OneHost, target: OneHost): Stage[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  // The goals' fulfillments are the source's. On the target none of them leaves.
  const arriving = goals.filter(({ wanted }) => wanted.length > 0).map((goal) => ({ ...goal, returned: [] }))
  const group = wantedGroup(goals.map((goal) => goal.customerNumber))
  const isGroupSet = isSameGroup(
    target.members.map((member) => member.customerNumber),
    group,
  )
  const [from, to] = [{ host: source.host }, { host: target.host }]
  return withoutEmpty([
    ...returnStages(source.host, 'REHOST', goals, source.held),
    ...(isSourceLeft ? alone({ kind: 'mark inactive', ...from }) : []),
    ...(isSourceLeft && source.members.length ? alone({ kind: 'deactivate group', ...from, customerNumber }) : []),
    ...createStages(target.host, 'REHOST', arriving, target.held),
    ...(isGroupSet || group.length === 0 ? [] : alone({ kind: 'set group', ...to, customerNumber, group })),
    ...alone({ kind: 'mark active', ...to }),
    generateStage(target.host, arriving),
    ...(isSourceLeft ? [] : [generateStage(source.host, stayingGoals(goals, source.held))]),
  ])
}
