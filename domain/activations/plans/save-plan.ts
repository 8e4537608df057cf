import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import {
  type GroupMember,
  isSameGroup,
  unmanagedCustomers,
  wantedGroup,
} from '#domain/activations/hosts/shared-server.ts'
import type { LicenseMail } from '#domain/activations/license-files/license-file.ts'
import {
  createSteps,
  generateSteps,
  type HeldSeats,
  type PlanStep,
  returnSteps,
  type SeatGoal,
  stayingGoals,
} from '#domain/activations/plans/plan.ts'

export type SaveRequest = {
  readonly host: HostIdentity
  /** One per open tab, export-approved customers only; the first is the selected one. */
  readonly goals: readonly SeatGoal[]
  readonly mail: LicenseMail | undefined
}

/** The remaining steps of a save, in order. */
export function planSave(
  { host, goals, mail }: SaveRequest,
  { held, members }: { readonly held: readonly HeldSeats[]; readonly members: readonly GroupMember[] },
): PlanStep[] {
  const customerNumber = goals[0]?.customerNumber ?? ''
  const { before, after } = groupSteps(host, goals, members)
  const licensed = licensedGoals(goals, held)
  return [
    ...returnSteps(host, 'EDIT', goals, held),
    ...before,
    ...createSteps(host, 'EDIT', goals, held),
    ...after,
    ...generateSteps(host, licensed),
    ...(licensed.length && mail ? [{ kind: 'email', host, customerNumber, ...mail } as const] : []),
  ]
}

/** The group is taken down and set again only if its members change, so that an interruption cannot lose it otherwise. */
function groupSteps(
  host: HostIdentity,
  goals: readonly SeatGoal[],
  members: readonly GroupMember[],
): { readonly before: PlanStep[]; readonly after: PlanStep[] } {
  const customerNumber = goals[0]?.customerNumber ?? ''
  const unmanaged = unmanagedCustomers(members)
  const current = members.map((member) => member.customerNumber).filter((number) => !unmanaged.includes(number))
  const group = wantedGroup(goals.map((goal) => goal.customerNumber))
  const isChanged = !isSameGroup(current, group)
  return {
    before: [
      ...(unmanaged.length ? [{ kind: 'override', host, customerNumber } as const] : []),
      ...(isChanged && current.length ? [{ kind: 'deactivate group', host, customerNumber } as const] : []),
    ],
    after: isChanged && group.length ? [{ kind: 'set group', host, customerNumber, group }] : [],
  }
}

/**
 * Customers that have seats on the host afterwards. Where the last seats are removed there is no file to make. Where there
 * were none and nothing changes, the selected customer's call is made all the same, so that its refusal is seen.
 */
function licensedGoals(goals: readonly SeatGoal[], held: readonly HeldSeats[]): SeatGoal[] {
  const staying = new Set(stayingGoals(goals, held))
  const licensed = goals.filter((goal) => staying.has(goal) || goal.wanted.length > 0)
  const isUnchanged = goals.every(({ returned, wanted }) => returned.length === 0 && wanted.length === 0)
  return licensed.length === 0 && isUnchanged ? goals.slice(0, 1) : licensed
}
