import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import { stepErrorText } from '#domain/activations/seats/activation-error.ts'
import { ApiError, BatchError, hasCode, isTemporary } from '#web/lib/api/api-error.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import { rawText, refusalText } from '#web/modules/activations/seats/activation-error.ts'
import { type RefusedProducts, refusedLines, refusedProducts } from '#web/modules/activations/seats/refused-products.ts'

export type SaveFailure = {
  readonly text: string
  /** What the server said, where it helps. */
  readonly why: string | undefined
  /** Which products were refused, and why. */
  readonly refused: readonly RefusedProducts[]
  /** The save can succeed without any change to it. */
  readonly canContinue: boolean
}

/** The server has not accepted the save: nothing was done. */
export function startFailure(error: unknown, job: SaveJob): SaveFailure {
  const refused = refusedProducts(error, job)
  return {
    text: stepErrorText({ kind: refusedStep(error, job) }, rawText(error)),
    why: refused.length > 0 ? undefined : refusalText(error),
    refused,
    canContinue: !(error instanceof ApiError) || isTemporary(error),
  }
}

/** The save has stopped at a step. */
export function planFailure({ step, failure }: Pick<HostPlan, 'step' | 'failure'>): SaveFailure {
  const err = failure?.err ?? ''
  const kind = (step ?? 'generate') as PlanStep['kind']
  return { text: stepErrorText({ kind }, err), why: err, refused: [], canContinue: false }
}

/** The step that would have been refused, or else the first step of the save. */
function refusedStep(error: unknown, { request: { goals } }: SaveJob): PlanStep['kind'] {
  if (hasCode(error, 'SHARED_ELSEWHERE')) return 'set group'
  if (hasCode(error, 'NOT_IN_CATALOG')) return 'generate'
  const returned = goals.flatMap((goal) => goal.returned)
  if (error instanceof BatchError)
    return refusedLines(error).some(({ id }) => returned.some(({ fulfillmentId }) => fulfillmentId === id))
      ? 'return'
      : 'create'
  if (returned.length > 0) return 'return'
  return goals.some(({ wanted }) => wanted.length > 0) ? 'create' : 'generate'
}
