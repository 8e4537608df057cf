/** The tests of a step. All but the counts are names, which are printed. */
export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly failures?: readonly string[]
  readonly notRun?: readonly string[]
  /** Passed only at the second try. */
  readonly flaky?: readonly string[]
  /** What went wrong beyond the output. */
  readonly remark?: string
  readonly files?: readonly TestFile[]
}
type TestFile = { readonly name: string; readonly seconds: number }

/** The part of Vitest's JSON report that is counted. */
export type VitestReport = {
  testResults: {
    name: string
    startTime: number
    endTime: number
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

export function tallyOfVitest({ testResults }: VitestReport): Tally {
  const named = (file: VitestReport['testResults'][number], is: (status: string) => boolean) =>
    file.assertionResults.filter(({ status }) => is(status)).map(({ fullName }) => fullName)
  const all = (is: (status: string) => boolean) => testResults.flatMap((file) => named(file, is))
  const failures = all((status) => status === 'failed')
  // A file that cannot be loaded has no tests that could fail.
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !named(file, (one) => one === 'failed').length,
  )
  return {
    passed: all((status) => status === 'passed').length,
    failed: failures.length + broken.length,
    failures,
    notRun: all((status) => status !== 'passed' && status !== 'failed'),
    files: testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 })),
  }
}

/** The part of Playwright's JSON report that is counted. */
export type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }
type Suite = {
  file: string
  specs: { title: string; tests: { status: string; results: { duration: number }[] }[] }[]
  suites?: Suite[]
}

/** Only CI retries a journey. A journey that passed on its retry is named, so that somebody fixes it. */
export function tallyOfPlaywright({ stats, suites }: PlaywrightReport): Tally {
  const titlesWith = (status: string, { specs, suites: inner = [] }: Suite): string[] => [
    ...specs.filter(({ tests }) => tests.every((test) => test.status === status)).map(({ title }) => title),
    ...inner.flatMap((suite) => titlesWith(status, suite)),
  ]
  const all = (status: string) => suites.flatMap((suite) => titlesWith(status, suite))
  const durationOf = ({ specs, suites: inner = [] }: Suite): number =>
    sum(specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))) +
    sum(inner.map(durationOf))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    failures: all('unexpected'),
    notRun: all('skipped'),
    flaky: all('flaky'),
    files: suites.map((suite) => ({ name: suite.file, seconds: durationOf(suite) / 1000 })),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/**
 * A runner that fails must count as a failure, even if its report names no failed test: it broke off, an error escaped
 * between tests, or it found nothing to run.
 */
export function outcomeOf(isOk: boolean, tally: () => Tally = () => asOneTest(isOk)): Tally {
  let counted: Tally
  try {
    counted = tally()
  } catch {
    return { passed: 0, failed: 1, remark: 'It broke off before it could report its tests.' }
  }
  if (counted.passed + counted.failed === 0) return { ...counted, failed: 1, remark: 'There was nothing to run.' }
  if (!isOk && counted.failed === 0) return { ...counted, failed: 1, remark: 'It failed outside of its tests.' }
  return counted
}

const asOneTest = (isOk: boolean): Tally => (isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

/** One line for a step that passed; the whole output for one that failed. */
export function stepLines(title: string, outcome: Tally, output: string, seconds: number): string[] {
  const { passed, failed, failures = [], notRun = [], flaky = [], remark } = outcome
  const isPassed = failed === 0
  const count = isPassed ? `${passed} passed` : `${failed} failed, ${passed} passed`
  const printed = [...output.trimEnd().split('\n'), ...(remark ? [remark] : [])]
  return [
    `${isPassed ? 'ok  ' : 'FAIL'}  ${title.padEnd(22)}${count} in ${seconds.toFixed(1)} s`,
    ...failures.map((name) => `      failed: ${name}`),
    ...notRun.map((name) => `      not run here: ${name}`),
    ...flaky.map((name) => `      flaky: ${name}`),
    // The indentation keeps a runner's own summary apart from ours.
    ...(isPassed ? [] : printed.map((line) => `    | ${line}`)),
  ]
}

const MAX_SLOW_FILES = 10

/** The files that took longest, with the time of all their tests, although files run side by side. */
export function slowestLines(files: readonly TestFile[]): string[] {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, MAX_SLOW_FILES)
  return slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)
}

/** The last line of the whole run, which people and programs read first. */
export function closingLine({ passed, failed }: Pick<Tally, 'passed' | 'failed'>): string {
  return `${passed} passed, ${failed} failed`
}
