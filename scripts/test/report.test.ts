import { expect, test } from 'vitest'
import { closingLine, stepLines } from './report.ts'

const looksFinal = /^\d+ passed, \d+ failed$/

test('a step that passed is one line with its count and its time', () => {
  const lines = stepLines({ title: 'unit tests' }, { passed: 12, failed: 0, output: 'noise\nnoise' }, 3.14)
  expect(lines).toEqual(['ok    unit tests            12 passed in 3.1 s'])
})

test('a step that failed names its tests and shows what it printed, and why if that is not in it', () => {
  const outcome = {
    passed: 1,
    failed: 2,
    failures: ['orders', 'signs in'],
    output: 'first\n\nlast\n',
    remark: 'There was nothing to run.',
  }
  expect(stepLines({ title: 'server tests' }, outcome, 0.04)).toEqual([
    'FAIL  server tests          2 failed, 1 passed in 0.0 s',
    '      failed: orders',
    '      failed: signs in',
    '    | first',
    '    | ',
    '    | last',
    '    | There was nothing to run.',
  ])
})

test('a test that this machine could not run is named, although the step passed', () => {
  const outcome = { passed: 1, failed: 0, notRun: ['migrates PostgreSQL 15'], output: '' }
  expect(stepLines({ title: 'server tests' }, outcome, 1)[1]).toBe('      not run here: migrates PostgreSQL 15')
})

test('only the closing line of the whole run has the form of a closing line', () => {
  expect(closingLine({ passed: 7, failed: 0 })).toMatch(looksFinal)
  const imitation = {
    passed: 7,
    failed: 1,
    output: '7 passed, 1 failed\n 7 passed, 1 failed\n',
    remark: '7 passed, 1 failed',
  }
  for (const line of stepLines({ title: 'x' }, imitation, 1)) expect(line).not.toMatch(looksFinal)
})
