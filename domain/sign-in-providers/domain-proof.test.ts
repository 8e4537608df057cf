import { expect, test } from 'vitest'
import {
  afterCheck,
  type CheckOutcome,
  type DomainProof,
  domainState,
  isInForce,
  isProof,
  recordName,
  recordValue,
} from '#domain/sign-in-providers/domain-proof.ts'

const DAY = 24 * 3_600_000
const START = new Date('2026-11-19T10:00:00Z')
const NEW: DomainProof = { provenAt: null, failures: 0, failingSince: null, outcome: null }

/** One check a day. */
function afterDays(outcomes: readonly CheckOutcome[]) {
  let proof = NEW
  let now = START
  for (const [day, outcome] of outcomes.entries()) {
    now = new Date(START.getTime() + day * DAY)
    proof = afterCheck(proof, outcome, now)
  }
  return domainState(proof, now)
}
const times = (count: number, outcome: CheckOutcome) => Array.from({ length: count }, () => outcome)

test.each<[what: string, checks: CheckOutcome[], state: string]>([
  ['was never checked', [], 'waiting'],
  ['was never found', times(40, 'missing'), 'waiting'],
  ['was found', ['missing', 'found'], 'proven'],
  ['failed twice', ['found', 'missing', 'unanswered'], 'proven'],
  ['failed three times', ['found', 'missing', 'unanswered', 'missing'], 'failing'],
  ['was found again', ['found', ...times(20, 'missing'), 'found'], 'proven'],
  ['was missing for 29 days', ['found', ...times(30, 'missing')], 'failing'],
  ['was missing for 30 days', ['found', ...times(31, 'missing')], 'lapsed'],
  ['was not answered for a year', ['found', ...times(365, 'unanswered')], 'failing'],
  ['lapsed and was found again', ['found', ...times(40, 'missing'), 'found'], 'proven'],
])('a domain that %s is in its state', (_, checks, state) => {
  expect(afterDays(checks)).toBe(state)
})

test('failing domains count, waiting and lapsed ones do not', () => {
  expect((['waiting', 'proven', 'failing', 'lapsed'] as const).filter(isInForce)).toEqual(['proven', 'failing'])
})

test('the proof is one of the texts at its own name', () => {
  expect(recordName('aerodyne.example')).toBe('_licensing-portal.aerodyne.example')
  expect(isProof(['v=spf1 -all', ` ${recordValue('abc')} `], 'abc')).toBe(true)
  expect(isProof([recordValue('abcd'), 'abc', ''], 'abc')).toBe(false)
})
