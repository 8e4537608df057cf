import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { GroupMember } from '#domain/activations/hosts/shared-server.ts'
import { alone, type Stage, withoutEmpty } from '#domain/activations/plans/plan.ts'
import type { HeldSeats, SeatGoal } from '#domain/activations/seats/seat-goal.ts'
import { generateStage, returnStages, stayingGoals } from '#domain/activations/seats/seat-stages.ts'

export type DeactivateRequest = {
  readonly host: HostIdentity
  readonly goals: readonly SeatGoal[]
  /** Nothing stays on the host: see `isHostLeft`. */
  readonly isHostLeft: boolean
}

/** Returns every seat of the host. Where unticked ones stay, the host stays active, keeps its group and gets a new file. */
export function planDeactivate(
  { host, goals, isHostLeft }: DeactivateRequest,
  { held, members }: { readonly held: readonly HeldSeats[]; readonly members: readonly GroupMember[] },
): Stage[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  return withoutEmpty([
    ...returnStages(host, 'DEACTIVATE', goals, held),
    ...(isHostLeft && members.length ? alone({ kind: 'deactivate group', host, customerNumber }) : []),
    ...(isHostLeft ? alone({ kind: 'mark inactive', host }) : []),
    generateStage(host, stayingGoals(goals, held)),
  ])
}
