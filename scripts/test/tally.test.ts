import { describe, expect, test } from 'vitest'
import { tallyOfPlaywright } from './playwright-suite.ts'
import { believed } from './step.ts'
import { tallyOfVitest } from './vitest-suite.ts'

const file = (status: string, ...tests: [status: string, fullName: string][]) => ({
  status,
  assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
})

describe('vitest', () => {
  test('tests are counted by their status, over all files', () => {
    const report = { testResults: [file('passed', ['passed', 'a'], ['passed', 'b']), file('failed', ['failed', 'c'])] }
    expect(tallyOfVitest(report)).toEqual({ passed: 2, failed: 1, failures: ['c'], notRun: [] })
  })

  test('a file that cannot be loaded is a failure', () => {
    expect(tallyOfVitest({ testResults: [file('failed')] })).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a skipped test is named', () => {
    const report = { testResults: [file('passed', ['passed', 'a'], ['skipped', 'migrates PostgreSQL 15'])] }
    expect(tallyOfVitest(report)).toEqual({ passed: 1, failed: 0, failures: [], notRun: ['migrates PostgreSQL 15'] })
  })
})

describe('playwright', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1 }

  test('names a journey that needed a second try and counts it as passed', () => {
    const suites = [{ specs: [{ title: 'orders', tests: [{ status: 'flaky' }] }] }]
    expect(tallyOfPlaywright({ stats, suites })).toMatchObject({ passed: 4, failed: 1, flaky: ['orders'] })
  })

  test('names a journey that failed', () => {
    const suites = [{ specs: [{ title: 'orders', tests: [{ status: 'unexpected' }] }] }]
    expect(tallyOfPlaywright({ stats, suites }).failures).toEqual(['orders'])
  })

  test('a skipped journey is named, at any depth', () => {
    const spec = (title: string, status: string) => ({ title, tests: [{ status }] })
    const inner = { specs: [spec('prints a statement', 'skipped')] }
    const suites = [{ specs: [spec('signs in', 'expected')], suites: [inner] }]
    expect(tallyOfPlaywright({ stats, suites }).notRun).toEqual(['prints a statement'])
  })
})

describe('results of runners', () => {
  const tally = { passed: 4, failed: 1 }
  test.for([
    ['with its own count', { ok: false, output: 'x' }, tally, { passed: 4, failed: 1 }],
    ['not when it left no report', { ok: true, output: 'x' }, undefined, { passed: 0, failed: 1 }],
    ['not when it ran nothing', { ok: true, output: 'x' }, { passed: 0, failed: 0 }, { passed: 0, failed: 1 }],
    [
      'not when it failed outside of its tests',
      { ok: false, output: 'x' },
      { passed: 4, failed: 0 },
      { passed: 4, failed: 1 },
    ],
  ] as const)('a runner is believed %s', ([, finished, tally, expected]) => {
    expect(believed(finished, tally)).toMatchObject({ ...expected, output: 'x' })
  })
})
