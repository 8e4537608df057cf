import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { stepKey } from '#domain/activations/plans/plan-key.ts'
import { runPlan, StepError } from '#domain/activations/plans/run-plan.ts'
import { planSave } from '#domain/activations/plans/save-plan.ts'
import { ACTIVATION_ERRORS, stepErrorText } from '#domain/activations/seats/activation-error.ts'
import { saveText } from '#domain/activations/seats/activation-texts.ts'
import { ApiFailure, isTemporary } from '#web/lib/api-failure.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { reloadActivations } from '#web/modules/activations/activations.api.ts'
import {
  forgetSave,
  rememberSave,
  whenNobodySaves,
  whileSaving,
} from '#web/modules/activations/plans/interrupted-save.ts'
import { loadReached, type SaveJob, type SaveResult, stepPerformer } from '#web/modules/activations/plans/save-flow.ts'
import { ActivationFailure, rawText, refusalText } from '#web/modules/activations/seats/activation-failure.ts'
import { type RefusedProducts, refusedProducts } from '#web/modules/activations/seats/refused-products.ts'

export type SaveProgress = { readonly text: string; readonly done: number; readonly total: number }

export type SaveFailure = {
  readonly text: string
  /** What the server said, where it helps. */
  readonly why: string | undefined
  /** The same in detail: which products were refused, and why. */
  readonly refused: readonly RefusedProducts[]
  /** The same save can succeed without any change to it. */
  readonly canContinue: boolean
}

export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: SaveProgress }
  | { readonly kind: 'failed'; readonly failure: SaveFailure; readonly job: SaveJob }
  | { readonly kind: 'done'; readonly result: SaveResult; readonly job: SaveJob }

const IDLE: SaveState = { kind: 'idle' }
const STARTING: SaveProgress = { text: 'Checking the license server...', done: 0, total: 0 }

/** Runs a save step by step. After a failure, or in another tab, it goes on where it stopped. */
export function useSaveFlow(customerNumber: string) {
  const queries = useQueryClient()
  const { user } = useSignedIn()
  const [state, setState] = useState<SaveState>(IDLE)
  const [left, setLeft] = useState<SaveJob>()
  /** Steps of the current save that are done, for when it is continued. */
  const done = useRef({ saveId: '', steps: new Set<string>() })
  const isBusy = useRef(false)

  useEffect(() => {
    const leaving = new AbortController()
    const aborted = () => undefined
    void whenNobodySaves(user.email, customerNumber, leaving.signal).then(setLeft, aborted)
    return () => leaving.abort()
  }, [user.email, customerNumber])

  /** The second click of a double click starts nothing. */
  async function start(job: SaveJob): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setState({ kind: 'running', progress: STARTING })
    try {
      await whileSaving(user.email, customerNumber, () => run(job))
    } finally {
      isBusy.current = false
    }
  }

  async function run(job: SaveJob): Promise<void> {
    if (done.current.saveId !== job.saveId) done.current = { saveId: job.saveId, steps: new Set() }
    const { steps } = done.current
    rememberSave(user.email, customerNumber, job)
    setLeft(undefined)
    try {
      const stages = planSave(job.request, { ...(await loadReached(job)), done: steps })
      const total = stages.reduce((sum, stage) => sum + stage.steps.length, 0)
      const { perform, result } = stepPerformer(job, () => reloadActivations(queries))
      let count = 0
      await runPlan(stages, async (step) => {
        setState({ kind: 'running', progress: { text: saveText(step), done: count, total } })
        await perform(step)
        steps.add(stepKey(step))
        count += 1
      })
      forgetSave(user.email, customerNumber)
      const made = result()
      if (made.licenseText !== undefined && made.fileName) saveFile(new Blob([made.licenseText]), made.fileName)
      setState({ kind: 'done', result: made, job })
    } catch (error) {
      const failure = toFailure(error, job)
      // The same request would be refused again.
      if (!failure.canContinue) forgetSave(user.email, customerNumber)
      setState({ kind: 'failed', failure, job })
    }
  }

  const forget = () => {
    forgetSave(user.email, customerNumber)
    setLeft(undefined)
  }

  return {
    state,
    isRunning: state.kind === 'running',
    /** A save that another tab, or this one before it was closed, did not finish. */
    interrupted: state.kind === 'idle' ? left : undefined,
    start,
    discardInterrupted: forget,
    /** After an error the server is loaded again: some steps may have been done. */
    async clearError() {
      forget()
      setState(IDLE)
      await reloadActivations(queries)
    },
    close: () => setState(IDLE),
  }
}

function toFailure(error: unknown, job: SaveJob): SaveFailure {
  const cause = error instanceof StepError ? error.cause : error
  const refused = refusedProducts(error, job)
  return {
    text: failureText(error),
    why: refused.length > 0 ? undefined : refusalText(cause),
    refused,
    canContinue: !(cause instanceof ApiFailure) || isTemporary(cause),
  }
}

function failureText(error: unknown): string {
  if (error instanceof StepError) return stepErrorText(error.step, rawText(error.cause))
  return new ActivationFailure(ACTIVATION_ERRORS.servers, error).message
}
