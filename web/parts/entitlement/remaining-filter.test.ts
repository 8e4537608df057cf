import { expect, test } from 'vitest'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { remainingElements, remainingProblem } from '#web/parts/entitlement/remaining-filter.ts'

const TODAY = '2026-03-01'
const FIELDS = { start: { type: 'day' }, end: { type: 'day', missingIsFuture: true } } as const
const NAMES = { start: 'start', end: 'end' }

/** What ends today has one day left. */
const ROWS = {
  'ended yesterday': { start: '2025-01-01', end: '2026-02-28' },
  '1 day': { start: '2025-01-01', end: '2026-03-01' },
  '30 days': { start: '2025-01-01', end: '2026-03-30' },
  '31 days': { start: '2025-01-01', end: '2026-03-31' },
  'not started': { start: '2026-03-02', end: '2026-03-10' },
  permanent: { start: '2025-01-01', end: null },
}

test.each([
  ['1', ['1 day']],
  ['≤ 30', ['1 day', '30 days']],
  ['< 30', ['1 day']],
  ['> 30', ['31 days']],
  ['>= 30', ['30 days', '31 days']],
  ['2 – 30', ['30 days']],
  ['0', []],
  ['1.5', []],
])('%s finds %j', (text, found) => {
  const criteria = remainingElements(text, TODAY, NAMES) ?? []
  const filter = parseFilter(FIELDS, { condition: 'ALL', criteria })
  expect(
    Object.entries(ROWS)
      .filter(([, row]) => matches(filter, row))
      .map(([name]) => name),
  ).toEqual(found)
})

test('leaves words to the list', () => {
  expect(remainingElements('expired', TODAY, NAMES)).toBeUndefined()
})

test.each([
  ['30', true],
  ['≤ 30', true],
  ['perm', true],
  ['not started', true],
  ['soon', false],
])('%s can be filtered by: %s', (text, isUsable) => {
  expect(remainingProblem(text) === undefined).toBe(isUsable)
})
