import type { Outcome, Step } from './step.ts'

/** The machines that this runs on have two cores at least. */
const LANES = 2

export type Total = { passed: number; failed: number }
type Ended = (step: Step, outcome: Outcome, seconds: number) => void

/** Runs every step, even if others fail, and reports each one when it ends. After `stop`, no further step starts. */
export async function runSteps(steps: readonly Step[], ended: Ended, stop: AbortSignal): Promise<Total> {
  const total = { passed: 0, failed: 0 }
  const runOne = async (step: Step) => {
    if (stop.aborted) return
    const began = performance.now()
    const outcome = await step.run().catch(asFailure)
    if (stop.aborted) return
    total.passed += outcome.passed
    total.failed += outcome.failed
    ended(step, outcome, (performance.now() - began) / 1000)
  }
  const together = steps.filter((step) => !step.alone)
  const oneByOne = steps.filter((step) => step.alone)
  await inLanes(LANES, together, runOne)
  await inLanes(1, oneByOne, runOne)
  return total
}

async function inLanes(lanes: number, steps: readonly Step[], runOne: (step: Step) => Promise<void>): Promise<void> {
  const waiting = steps.values()
  const lane = async () => {
    for (const step of waiting) await runOne(step)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function asFailure(error: unknown): Outcome {
  return { passed: 0, failed: 1, output: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
