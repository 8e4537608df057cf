import { expect, test } from 'vitest'
import { isContractActive, isElasticActive, isLeaseActive } from '#domain/entitlements/activity.ts'
import type { Term } from '#domain/entitlements/term.ts'

const march: Term = { startDate: '2026-03-01', endDate: '2026-03-31' }
const permanent: Term = { startDate: '2026-03-01', endDate: null }
const units = (used: string) => ({ lines: 2, unitsPerLine: '500', used })

/** today → [lease, elastic with units left, elastic used up, spending account] */
test.each([
  [march, '2026-02-28', [false, false, false, true]],
  [march, '2026-03-01', [true, true, false, true]],
  [march, '2026-03-02', [true, true, false, true]],
  [march, '2026-03-30', [true, true, false, true]],
  [march, '2026-03-31', [true, true, false, true]],
  [march, '2026-04-01', [false, false, false, false]],
  [permanent, '2026-02-28', [false, false, false, true]],
  [permanent, '2026-03-01', [true, true, false, true]],
  [permanent, '2099-01-01', [true, true, false, true]],
])('the term %j is active or not on %s', (term, today, expected) => {
  expect([
    isLeaseActive(term, today),
    isElasticActive(term, units('999.99'), today),
    isElasticActive(term, units('1000'), today),
    isContractActive(term, today),
  ]).toEqual(expected)
})

test.each([
  ['0', true],
  ['0.01', true],
  ['999.99', true],
  ['1000', false],
  ['1000.01', false],
  ['-1', true],
])('elastic units with %s of 1000 used are active: %s', (used, active) => {
  expect(isElasticActive(march, units(used), '2026-03-15')).toBe(active)
})

test('units with a total of zero are 0 % used', () => {
  expect(isElasticActive(march, { lines: 0, unitsPerLine: '500', used: '10' }, '2026-03-15')).toBe(true)
})
