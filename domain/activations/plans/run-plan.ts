import type { PlanStep, Stage } from '#domain/activations/plans/plan.ts'

/** Which step failed, and why. */
export class StepError extends Error {
  override readonly name = 'StepError'
  readonly step: PlanStep

  constructor(step: PlanStep, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.step = step
  }
}

/** Performs a plan stage by stage. After the first error no further step begins; those that are under way end first. */
export async function runPlan(stages: readonly Stage[], perform: (step: PlanStep) => Promise<void>): Promise<void> {
  for (const { steps, parallel } of stages) await runStage(steps, parallel, perform)
}

async function runStage(steps: readonly PlanStep[], parallel: number, perform: (step: PlanStep) => Promise<void>) {
  const waiting = [...steps]
  const failures: StepError[] = []
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      try {
        await perform(step)
      } catch (cause) {
        failures.push(new StepError(step, cause))
        waiting.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, steps.length) }, worker))
  if (failures[0]) throw failures[0]
}
