import { expect, test } from 'vitest'
import type { Term } from '#domain/entitlements/term.ts'
import { usedDaysPercentage } from '#domain/entitlements/used-days-percentage.ts'

const year: Term = { startDate: '2026-01-01', endDate: '2026-12-31' }
const oneDay: Term = { startDate: '2026-06-15', endDate: '2026-06-15' }
const permanent: Term = { startDate: '2026-01-01', endDate: null }

test.each([
  [year, '2025-12-31', 0],
  [year, '2026-01-01', 1],
  [year, '2026-01-02', 1],
  [year, '2026-01-06', 1],
  [year, '2026-01-07', 2],
  [year, '2026-07-02', 50],
  [year, '2026-12-27', 99],
  [year, '2026-12-31', 99],
  [year, '2027-01-01', 100],
  [year, '2036-01-01', 100],
  [oneDay, '2026-06-14', 0],
  [oneDay, '2026-06-15', 1],
  [oneDay, '2026-06-16', 100],
  [permanent, '2025-12-31', 0],
  [permanent, '2026-01-01', 100],
  [permanent, '2046-01-01', 100],
])('of %j, %s shows %i %', (term, today, percentage) => {
  expect(usedDaysPercentage(term, today)).toBe(percentage)
})
