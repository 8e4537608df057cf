import { run } from './command.ts'
import { withReportFile } from './report-file.ts'
import { believed, type Outcome, type Tally } from './step.ts'

/** The part of Vitest's JSON report that is counted. */
export type VitestReport = {
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[]
}

export async function runVitest(project: string, env: Record<string, string>, root = '.'): Promise<Outcome> {
  // The minimal reporter prints failures only: thousands of passed tests would hide them.
  const command = ['vitest', 'run', `--root=${root}`, `--project=${project}`, '--allowOnly=false', '--reporter=minimal']
  const { finished, report } = await withReportFile<VitestReport>((file) =>
    run([...command, '--reporter=json', `--outputFile.json=${file}`], env),
  )
  return believed(finished, report && tallyOfVitest(report))
}

export function tallyOfVitest({ testResults }: VitestReport): Tally {
  const tests = testResults.flatMap((file) => file.assertionResults)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  // A file that cannot be loaded has no tests that could fail.
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: count('passed'),
    failed: count('failed') + brokenFiles.length,
    failures: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    notRun: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName),
  }
}
