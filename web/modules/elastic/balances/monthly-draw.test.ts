import { expect, test } from 'vitest'
import { everyMonth, totalDraw } from '#web/modules/elastic/balances/monthly-draw.ts'

test('includes months without a charge, also across the turn of the year', () => {
  const draws = [
    { month: '2025-11', used: 3 },
    { month: '2026-02', used: 4.5 },
  ]
  expect(everyMonth(draws)).toEqual([
    { month: '2025-11', used: 3 },
    { month: '2025-12', used: 0 },
    { month: '2026-01', used: 0 },
    { month: '2026-02', used: 4.5 },
  ])
  expect(everyMonth([])).toEqual([])
})

test('the months add up to the last hundredth', () => {
  expect(totalDraw([0.1, 0.2, -0.05].map((used, index) => ({ month: `2026-0${index + 1}`, used })))).toBe(0.25)
})
