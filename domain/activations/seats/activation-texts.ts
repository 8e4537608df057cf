import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { PlanAction } from '#domain/activations/plans/host-plan.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'

export const NO_SERVER_FOUND = 'No Server Found'
export const NO_NEW_ENTITLEMENTS = 'Host does not have any new entitlements.'
export const DOWNLOADING = 'Downloading license file...'
export const LOADING_HISTORY = 'Getting Activations History...'

/** What the spinner says while a step runs. */
export function loadingText(step: PlanStep): string {
  if (step.kind === 'return') {
    if (step.action === 'REHOST') return 'Rehosting from...'
    return step.action === 'DEACTIVATE' ? 'Deactivating...' : 'Returning fulfillments...'
  }
  if (step.kind === 'create') return step.action === 'REHOST' ? 'Rehosting to...' : 'Creating fulfillments...'
  return step.kind === 'generate' ? DOWNLOADING : LOADING_HISTORY
}

/** What the progress of a save says while a step runs. */
function saveText(step: PlanStep): string {
  switch (step.kind) {
    case 'override':
    case 'deactivate group':
    case 'set group':
      return 'Updating who shares the license server...'
    case 'email':
      return 'Sending email...'
    default:
      return loadingText(step)
  }
}

/** The progress text of a plan. For a rehost it distinguishes steps on the source from steps on the target. */
export function planText(action: PlanAction, step: PlanStep, target: HostIdentity | null): string {
  if (action === 'SAVE') return saveText(step)
  if (step.kind === 'generate' || action === 'RENEW') return loadingText(step)
  if (action !== 'REHOST') return 'Deactivating...'
  return step.host.serverId === target?.serverId ? 'Rehosting to...' : 'Rehosting from...'
}
