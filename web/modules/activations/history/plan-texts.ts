import type { HostPlan } from '#contract/activations/plan-fields.ts'
import { type HostIdentity, hostIdLabel } from '#domain/activations/host.ts'
import type { PlanAction } from '#domain/activations/host-plan.ts'
import type { PlanRequest } from '#web/modules/activations/history/host-plan.api.ts'

export const nameOf = ({ serverName }: Pick<HostIdentity, 'serverName'>) => serverName.replaceAll(',', ', ')
const named = (host: HostIdentity) => `${nameOf(host)} (${hostIdLabel(host)})`

type Texts = {
  readonly title: string
  readonly question: string
  /** The button that starts the plan. The specification calls it Ok for rehost and deactivation. */
  readonly act: string
  readonly begun: string
  readonly finished: string
}

/** What the dialogs of a plan say, before and after it. */
export function planTexts(request: PlanRequest): Texts {
  const { action, host } = request
  switch (action) {
    case 'REHOST':
      return {
        title: `Rehost ${nameOf(host)} on ${nameOf(request.target)}`,
        question: `The following products will be deactivated on ${named(host)} and activated on ${named(request.target)}.`,
        act: 'Ok',
        begun: 'The rehost has begun.',
        finished: `Everything has moved to ${nameOf(request.target)}.`,
      }
    case 'DEACTIVATE':
      return {
        title: `Deactivate ${nameOf(host)}`,
        question: `The following products will be deactivated on ${named(host)}.`,
        act: 'Ok',
        begun: 'The deactivation has begun.',
        finished: `${nameOf(host)} has been deactivated.`,
      }
    case 'FORCE_RETURN':
      return {
        title: `Forced return from ${nameOf(host)}`,
        question: `All seats of customer ${request.customerNumber} on ${named(host)} will be returned, also those with expired maintenance.`,
        act: 'Return all seats',
        begun: 'The forced return has begun.',
        finished: `All seats have been returned from ${nameOf(host)}.`,
      }
    case 'RENEW': {
      const where = host ? named(host) : 'the hosts of this account'
      return {
        title: host ? `Replace with renewal on ${nameOf(host)}` : 'Replace with renewal on all hosts',
        question: `The following products on ${where} end within 90 days and will be replaced with available ones.`,
        act: 'Replace with renewal',
        begun: 'The renewal has begun.',
        finished: `The renewals are activated on ${host ? nameOf(host) : 'the hosts'}.`,
      }
    }
  }
}

type Hosts = { readonly source: HostIdentity | null; readonly target: HostIdentity | null }

const WORDS: Readonly<Record<PlanAction, string>> = {
  REHOST: 'Rehost',
  DEACTIVATE: 'Deactivation',
  RENEW: 'Replacement with renewal',
  FORCE_RETURN: 'Forced return',
}

/** A plan in a few words: "Rehost of lic-01 on lic-02". */
export function planName({ action, source, target }: Hosts & { readonly action: PlanAction }): string {
  if (!source) return `${WORDS[action]} on all hosts`
  if (action === 'RENEW') return `${WORDS[action]} on ${nameOf(source)}`
  if (action === 'FORCE_RETURN') return `${WORDS[action]} from ${nameOf(source)}`
  return `${WORDS[action]} of ${nameOf(source)}${target ? ` on ${nameOf(target)}` : ''}`
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
