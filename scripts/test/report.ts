import type { Total } from './run-steps.ts'
import type { Outcome, Step } from './step.ts'

/** One line for a step that passed; the whole output for one that failed. */
export function stepLines({ title }: Pick<Step, 'title'>, outcome: Outcome, seconds: number): string[] {
  const { passed, failed, failures = [], notRun = [], flaky = [], remark, output } = outcome
  const verdict = failed === 0 ? 'ok  ' : 'FAIL'
  const count = failed === 0 ? `${passed} passed` : `${failed} failed, ${passed} passed`
  const line = `${verdict}  ${title.padEnd(22)}${count} in ${seconds.toFixed(1)} s`
  const named = [
    ...failures.map((name) => `      failed: ${name}`),
    ...notRun.map((name) => `      not run here: ${name}`),
    ...flaky.map((name) => `      flaky: ${name}`),
  ]
  if (failed === 0) return [line, ...named]
  // The indentation keeps a runner's own summary apart from ours.
  const said = [...output.trimEnd().split('\n'), ...(remark ? [remark] : [])].map((text) => `    | ${text}`)
  return [line, ...named, ...said]
}

/** The last line of the whole run, which people and programs read first. */
export function closingLine({ passed, failed }: Total): string {
  return `${passed} passed, ${failed} failed`
}
