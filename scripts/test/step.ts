import type { Finished } from './command.ts'

export type Tally = {
  passed: number
  failed: number
  /** The tests that failed, by name: printed first, because the rest of the output is long. */
  failures?: string[]
  /** Skipped tests, by name. They are printed, although a passing step prints nothing else. */
  notRun?: string[]
  /** Tests that passed only at the second try, by name. */
  flaky?: string[]
  /** What went wrong beyond the output. */
  remark?: string
}

export type Outcome = Tally & { output: string }

export type Step = {
  title: string
  /** A step that keeps both cores busy by itself runs alone. */
  alone: boolean
  run: () => Promise<Outcome>
}

/** A check passes or fails as a whole and counts as one test. */
export function asOneTest({ ok, output }: Finished): Outcome {
  return ok ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output }
}

/**
 * A runner that fails must count as a failure, even if its report names no failed test: it broke off, an error escaped
 * between tests, or it found nothing to run.
 */
export function believed({ ok, output }: Finished, tally: Tally | undefined): Outcome {
  if (!tally) return { passed: 0, failed: 1, output, remark: 'It broke off before it could report its tests.' }
  if (tally.passed + tally.failed === 0) return { ...tally, failed: 1, output, remark: 'There was nothing to run.' }
  if (!ok && tally.failed === 0) return { ...tally, failed: 1, output, remark: 'It failed outside of its tests.' }
  return { ...tally, output }
}
