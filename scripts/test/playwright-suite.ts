import { run } from './command.ts'
import { withReportFile } from './report-file.ts'
import { believed, type Outcome, type Tally } from './step.ts'

/** The part of Playwright's JSON report that is counted. */
export type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }
type Suite = { specs: { title: string; tests: { status: string }[] }[]; suites?: Suite[] }

export async function runPlaywright(): Promise<Outcome> {
  const { finished, report } = await withReportFile<PlaywrightReport>((file) =>
    // Playwright tells its workers about colors in a way of its own, and Node complains when it is told twice.
    run(['playwright', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NO_COLOR: '' }),
  )
  return believed(finished, report && tallyOfPlaywright(report))
}

/** A journey that passes only at the second try has failed. */
export function tallyOfPlaywright({ stats, suites }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    notRun: suites.flatMap(skippedIn),
  }
}

function skippedIn(suite: Suite): string[] {
  const here = suite.specs.filter(({ tests }) => tests.every(({ status }) => status === 'skipped'))
  return [...here.map(({ title }) => title), ...(suite.suites ?? []).flatMap(skippedIn)]
}
