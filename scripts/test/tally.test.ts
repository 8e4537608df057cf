import { describe, expect, test } from 'vitest'
import {
  closingLine,
  outcomeOf,
  slowestLines,
  stepLines,
  type Tally,
  tallyOfPlaywright,
  tallyOfVitest,
} from './tally.ts'

const file = (status: string, ...tests: [status: string, fullName: string][]) => ({
  name: 'a.test.ts',
  startTime: 1_000,
  endTime: 3_500,
  status,
  assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
})

describe('vitest', () => {
  test('tests are counted by their status, over all files', () => {
    const report = { testResults: [file('passed', ['passed', 'a'], ['passed', 'b']), file('failed', ['failed', 'c'])] }
    expect(tallyOfVitest(report)).toMatchObject({ passed: 2, failed: 1, failures: ['c'], notRun: [] })
  })

  test('a file that cannot be loaded is a failure', () => {
    expect(tallyOfVitest({ testResults: [file('failed')] })).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a skipped test is named', () => {
    const report = { testResults: [file('passed', ['passed', 'a'], ['skipped', 'migrates PostgreSQL 15'])] }
    expect(tallyOfVitest(report)).toEqual({
      passed: 1,
      failed: 0,
      failures: [],
      notRun: ['migrates PostgreSQL 15'],
      files: [{ name: 'a.test.ts', seconds: 2.5 }],
    })
  })
})

describe('playwright', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1 }
  const spec = (title: string, status: string, ...durations: number[]) => ({
    title,
    tests: [{ status, results: durations.map((duration) => ({ duration })) }],
  })

  test('names a journey that needed a second try and counts it as passed', () => {
    const suites = [{ file: 'a.spec.ts', specs: [spec('orders', 'flaky')] }]
    expect(tallyOfPlaywright({ stats, suites })).toMatchObject({ passed: 4, failed: 1, flaky: ['orders'] })
  })

  test('names a journey that failed', () => {
    const suites = [{ file: 'a.spec.ts', specs: [spec('orders', 'unexpected')] }]
    expect(tallyOfPlaywright({ stats, suites }).failures).toEqual(['orders'])
  })

  test('a skipped journey is named, at any depth', () => {
    const inner = { file: 'a.spec.ts', specs: [spec('prints a statement', 'skipped')] }
    const suites = [{ file: 'a.spec.ts', specs: [spec('signs in', 'expected')], suites: [inner] }]
    expect(tallyOfPlaywright({ stats, suites }).notRun).toEqual(['prints a statement'])
  })

  test('a file takes the time of all its journeys, and of all their tries', () => {
    const inner = { file: 'a.spec.ts', specs: [spec('orders', 'flaky', 4_000, 1_500)] }
    const suites = [{ file: 'a.spec.ts', specs: [spec('signs in', 'expected', 2_000)], suites: [inner] }]
    expect(tallyOfPlaywright({ stats, suites }).files).toEqual([{ name: 'a.spec.ts', seconds: 7.5 }])
  })
})

describe('results of runners', () => {
  const noReport = (): Tally => JSON.parse('')
  test.for([
    ['with its own count', false, () => ({ passed: 4, failed: 1 }), { passed: 4, failed: 1 }],
    ['as one test without a report of its own', true, undefined, { passed: 1, failed: 0 }],
    ['not when it left no report', true, noReport, { passed: 0, failed: 1 }],
    ['not when it ran nothing', true, () => ({ passed: 0, failed: 0 }), { passed: 0, failed: 1 }],
    ['not when it failed outside of its tests', false, () => ({ passed: 4, failed: 0 }), { passed: 4, failed: 1 }],
  ] as const)('a runner is believed %s', ([, isOk, tally, expected]) => {
    expect(outcomeOf(isOk, tally)).toMatchObject(expected)
  })
})

describe('what is printed', () => {
  test('of the files are the ten slowest, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, n) => ({ name: `${n}.test.ts`, seconds: n * 10 }))
    const lines = slowestLines(files)
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('   110.0 s  11.test.ts')
    expect(lines.at(-1)).toBe('    20.0 s  2.test.ts')
  })

  test('of a step that passed is one line, and the tests that did not run or passed only at the second try', () => {
    const outcome = { passed: 12, failed: 0, notRun: ['migrates PostgreSQL 15'], flaky: ['orders'] }
    expect(stepLines('unit tests', outcome, 'noise\nnoise', 3.14)).toEqual([
      'ok    unit tests            12 passed in 3.1 s',
      '      not run here: migrates PostgreSQL 15',
      '      flaky: orders',
    ])
  })

  test('of a step that failed is everything, indented: only the whole run has a closing line', () => {
    const outcome = { passed: 1, failed: 2, failures: ['orders', 'signs in'], remark: 'There was nothing to run.' }
    expect(stepLines('server tests', outcome, '7 passed, 1 failed\n\nlast\n', 0.04)).toEqual([
      'FAIL  server tests          2 failed, 1 passed in 0.0 s',
      '      failed: orders',
      '      failed: signs in',
      '    | 7 passed, 1 failed',
      '    | ',
      '    | last',
      '    | There was nothing to run.',
    ])
    expect(closingLine({ passed: 7, failed: 0 })).toBe('7 passed, 0 failed')
  })
})
