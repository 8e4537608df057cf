import { run } from './command.ts'
import { withReportFile } from './report-file.ts'
import { believed, type Outcome, type Tally } from './step.ts'

/** The part of Playwright's JSON report that is counted. */
export type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }
type Suite = { specs: { title: string; tests: { status: string }[] }[]; suites?: Suite[] }

export async function runPlaywright(): Promise<Outcome> {
  const { finished, report } = await withReportFile<PlaywrightReport>((file) =>
    // Playwright sets FORCE_COLOR for its workers, and Node warns when NO_COLOR is set as well.
    run(['playwright', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NO_COLOR: '' }),
  )
  return believed({ ...finished, output: withoutPassed(finished.output) }, report && tallyOfPlaywright(report))
}

/** Lines of the journeys that passed would hide those that failed. */
function withoutPassed(output: string): string {
  return output.replaceAll(/^ +✓ .*\n/gm, '')
}

/** Only CI retries a journey. A journey that passed on its retry is named, so that somebody fixes it. */
export function tallyOfPlaywright({ stats, suites }: PlaywrightReport): Tally {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    failures: suites.flatMap((suite) => titlesWith(suite, 'unexpected')),
    notRun: suites.flatMap((suite) => titlesWith(suite, 'skipped')),
    flaky: suites.flatMap((suite) => titlesWith(suite, 'flaky')),
  }
}

function titlesWith(suite: Suite, status: string): string[] {
  const here = suite.specs.filter(({ tests }) => tests.every((test) => test.status === status))
  return [...here.map(({ title }) => title), ...(suite.suites ?? []).flatMap((inner) => titlesWith(inner, status))]
}
