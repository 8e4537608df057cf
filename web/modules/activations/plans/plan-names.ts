import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { PlanAction } from '#domain/activations/plans/host-plan.ts'

export const nameOf = ({ serverName }: Pick<HostIdentity, 'serverName'>) => serverName.replaceAll(',', ', ')

/** The button of a host, and of all of them. */
export const RENEW = 'Renew ending licenses'

type Hosts = { readonly source: HostIdentity | null; readonly target: HostIdentity | null }

const WORDS: Readonly<Record<PlanAction, string>> = {
  REHOST: 'Rehost',
  DEACTIVATE: 'Deactivation',
  RENEW: 'Renewal of ending licenses',
  FORCE_RETURN: 'Forced return',
  REGENERATE: 'New license files',
  SAVE: 'Save',
}

type NamedPlan = Hosts & { readonly action: PlanAction }

/** A plan in a few words and the license servers among them: "Rehost of lic-01 on lic-02". */
export function planParts({ action, source, target }: NamedPlan): (string | HostIdentity)[] {
  if (!source) return [`${WORDS[action]} on all license servers`]
  if (action === 'RENEW' || action === 'SAVE') return [`${WORDS[action]} on `, source]
  if (action === 'FORCE_RETURN') return [`${WORDS[action]} from `, source]
  return [`${WORDS[action]} of `, source, ...(target ? [' on ', target] : [])]
}

export function planName(plan: NamedPlan): string {
  return planParts(plan)
    .map((part) => (typeof part === 'string' ? part : nameOf(part)))
    .join('')
}

/** Whether a plan is about this license server. One of several servers names them in its steps. */
export function isPlanOf(
  { source, target, serverIds }: Pick<HostPlan, 'source' | 'target' | 'serverIds'>,
  { serverId }: Pick<HostIdentity, 'serverId'>,
): boolean {
  return [source?.serverId, target?.serverId, ...serverIds].includes(serverId)
}

/** Plans that were stopped and that nobody has repeated to the end since; the newest first. */
export function stoppedPlans(plans: readonly HostPlan[]): HostPlan[] {
  const isRepeated = (failed: HostPlan) =>
    plans.some(
      ({ state, action, source, requestedAt }) =>
        state === 'done' &&
        action === failed.action &&
        source?.serverId === failed.source?.serverId &&
        requestedAt > failed.requestedAt,
    )
  return plans.filter((plan) => plan.state === 'failed' && !isRepeated(plan))
}

/** What a stopped plan has done, and what it has not. */
export function workText({ amounts: { returned, activated, files } }: HostPlan): string {
  const parts = [
    [returned, 'seat', 'returned'],
    [activated, 'seat', 'activated'],
    [files, 'license file', 'generated'],
  ] as const
  const listed = parts
    .filter(([{ total }]) => total > 0)
    .map(([{ done, total }, what, did]) => `${done} of ${total} ${total === 1 ? what : `${what}s`} ${did}`)
  return listed.length > 0 ? `Done: ${listed.join(', ')}.` : 'Nothing was done.'
}

/** What a person can do after a plan was stopped. */
export function nextText({ action, amounts: { returned, activated }, target }: HostPlan): string {
  if (action === 'REHOST' && target && returned.done > activated.done)
    return `Solve the problem first. Manage Activations shows what is on ${nameOf(target)} and what is available.`
  return 'Solve the problem, then start again. Finished steps are not repeated.'
}
