import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { GroupMember } from '#domain/activations/hosts/shared-server.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import type { HeldSeats, SeatGoal } from '#domain/activations/seats/seat-goal.ts'
import { generateSteps, returnSteps, stayingGoals } from '#domain/activations/seats/seat-steps.ts'

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
): PlanStep[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  return [
    ...returnSteps(host, 'DEACTIVATE', goals, held),
    ...(isHostLeft && members.length ? [{ kind: 'deactivate group', host, customerNumber } as const] : []),
    ...(isHostLeft ? [{ kind: 'mark inactive', host } as const] : []),
    ...generateSteps(host, stayingGoals(goals, held)),
  ]
}
