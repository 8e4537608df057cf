import type { HostIdentity } from '#domain/activations/host.ts'
import { alone, inPool, type Stage, withoutEmpty } from '#domain/activations/plan.ts'
import type { HeldSeats, SeatGoal } from '#domain/activations/seat-goal.ts'
import { createStages, returnStages } from '#domain/activations/seat-stages.ts'
import { type GroupMember, isSameGroup, wantedGroup } from '#domain/activations/shared-server.ts'

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

/** The seven steps of a rehost, or what is left of them. A source that keeps seats stays active and keeps its group. */
export function planRehost({ goals, isSourceLeft }: RehostRequest, source: OneHost, target: OneHost): Stage[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  const group = wantedGroup(goals.map((goal) => goal.customerNumber))
  const isGroupSet = isSameGroup(
    target.members.map((member) => member.customerNumber),
    group,
  )
  const [from, to] = [{ host: source.host }, { host: target.host }]
  // The goals' fulfillments are the source's. On the target none of them leaves.
  const arriving = goals.map((goal) => ({ ...goal, returned: [] }))
  return withoutEmpty([
    ...returnStages(source.host, 'REHOST', goals, source.held),
    ...(isSourceLeft ? alone({ kind: 'mark inactive', ...from }) : []),
    ...(isSourceLeft && source.members.length ? alone({ kind: 'deactivate group', ...from, customerNumber }) : []),
    ...createStages(target.host, 'REHOST', arriving, target.held),
    ...(isGroupSet || group.length === 0 ? [] : alone({ kind: 'set group', ...to, customerNumber, group })),
    ...alone({ kind: 'mark active', ...to }),
    inPool(
      goals
        .filter(({ wanted }) => wanted.length > 0)
        .map((goal) => ({
          kind: 'generate',
          ...to,
          customerNumber: goal.customerNumber,
          customerName: goal.customerName,
        })),
    ),
  ])
}
