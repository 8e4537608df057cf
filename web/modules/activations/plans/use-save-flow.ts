import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { LicenseFile } from '#contract/activations/license-files/license-files.ts'
import type { HeldVersion, HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { stepErrorText } from '#domain/activations/seats/activation-error.ts'
import { DOWNLOADING } from '#domain/activations/seats/activation-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { ask, call } from '#web/lib/api/api-client.ts'
import { ConflictError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { reloadActivations } from '#web/modules/activations/activations.api.ts'
import { planQuery, reloadPlans } from '#web/modules/activations/plans/host-plan.api.ts'
import { useSeenPlans } from '#web/modules/activations/plans/host-plans.tsx'
import { planFailure, type SaveFailure, startFailure } from '#web/modules/activations/plans/save-failure.ts'
import { type SaveJob, toSaveBody } from '#web/modules/activations/plans/save-job.ts'
import { rawText, refusalText } from '#web/modules/activations/seats/activation-error.ts'

export type SaveProgress = { readonly text: string; readonly done: number; readonly total: number }

/** The result of a save. There is no file if the host has no licenses. */
export type SaveResult = {
  /** What was done to seats. */
  readonly changes: HostPlan['changes']
  readonly file?: LicenseFile
  readonly fileName?: string
  readonly licenseText?: string
  readonly mailedTo?: readonly string[]
}

type Outcome =
  | { readonly kind: 'failed'; readonly failure: SaveFailure; readonly job: SaveJob }
  /** Somebody else has changed the license server first. */
  | { readonly kind: 'conflict'; readonly versions: SaveVersions; readonly job: SaveJob }
  | { readonly kind: 'done'; readonly result: SaveResult; readonly job: SaveJob }

export type SaveVersions = { readonly current: HeldVersion; readonly yours: HeldVersion }

export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: SaveProgress }
  | Outcome

/** A save that was started here: the plan once the server has accepted it, and how it ended. */
type Started = { readonly job: SaveJob; readonly plan?: HostPlan; readonly outcome?: Outcome }

const STARTING: SaveProgress = { text: 'Checking the license server...', done: 0, total: 0 }

/** Starts saves and follows them. The server does the steps, also when nobody watches. */
export function useSaveFlow(customerNumber: string) {
  const queries = useQueryClient()
  const { markSeen } = useSeenPlans()
  const [started, setStarted] = useState<Started>()
  const { data: followed } = useQuery(planQuery(customerNumber, started?.plan))
  const plan = started?.plan && (followed ?? started.plan)
  const { save } = useSave({
    send: (job: SaveJob, idempotencyKey) => call('fulfillments/save', { body: toSaveBody(job), idempotencyKey }),
    success: () => undefined,
    onSaved: (plan, job) => setStarted({ job, plan }),
    onFailed: (error) => {
      setStarted((one) => one && { ...one, outcome: outcomeOf(error, one.job) })
      return true
    },
  })

  const isOver = plan !== undefined && plan.finishedAt !== null
  const finish = useEffectEvent(async () => {
    if (!started || !plan) return
    const { job } = started
    const end = (outcome: Outcome) => setStarted({ ...started, outcome })
    if (plan.failure) return end({ kind: 'failed', failure: planFailure(plan), job })
    try {
      await reloadActivations(queries)
      const result = await loadResult(plan, job.request.host)
      if (result.licenseText !== undefined && result.fileName) saveFile(new Blob([result.licenseText]), result.fileName)
      end({ kind: 'done', result, job })
    } catch (error) {
      const text = stepErrorText({ kind: 'generate' }, rawText(error))
      end({ kind: 'failed', failure: { text, why: refusalText(error), refused: [], canContinue: false }, job })
    }
  })
  useEffect(() => {
    if (isOver) void finish()
  }, [isOver])

  const state = toState(started, plan)
  return {
    state,
    isRunning: state.kind === 'running',
    /** The plan that this screen shows by itself. */
    planId: plan?.id,
    /** The second click of a double click starts nothing. */
    start(job: SaveJob) {
      if (state.kind === 'running') return
      setStarted({ job })
      save(job)
    },
    /** The server goes on. */
    leave() {
      setStarted(undefined)
      void reloadPlans(queries)
    },
    /** After an error the server is loaded again: some steps may have been done. */
    async clearError() {
      if (plan) markSeen(plan.id)
      setStarted(undefined)
      await reloadActivations(queries)
    },
    close: () => setStarted(undefined),
  }
}

function toState(started: Started | undefined, plan: HostPlan | undefined): SaveState {
  if (!started) return { kind: 'idle' }
  if (started.outcome) return started.outcome
  const progress = plan ? { text: plan.text || DOWNLOADING, done: plan.done, total: plan.total } : STARTING
  return { kind: 'running', progress }
}

function outcomeOf(error: unknown, job: SaveJob): Outcome {
  if (error instanceof ConflictError) return { kind: 'conflict', versions: error.versions as SaveVersions, job }
  return { kind: 'failed', failure: startFailure(error, job), job }
}

async function loadResult({ licensed, mailedTo, changes }: HostPlan, host: HostIdentity): Promise<SaveResult> {
  const [customerNumber] = licensed
  if (customerNumber === undefined) return { changes }
  const { file, licenseText, licenseFileName } = await ask('fulfillments/download', {
    body: { customerNumber, ...host },
  })
  return { changes, file, licenseText, fileName: licenseFileName, ...(mailedTo.length > 0 && { mailedTo }) }
}
