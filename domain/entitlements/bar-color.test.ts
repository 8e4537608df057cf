import { expect, test } from 'vitest'
import { remainingDaysColor, usedPercentageColor } from '#domain/entitlements/bar-color.ts'
import { endDateWith } from '#domain/entitlements/term.ts'

const today = '2026-11-15'

test.each([
  [-400, 'red'],
  [0, 'red'],
  [1, 'red'],
  [30, 'red'],
  [31, 'orange'],
  [90, 'orange'],
  [91, 'green'],
  [4000, 'green'],
])('%i days left are %s', (days, color) => {
  const term = { startDate: '2020-01-01', endDate: endDateWith(days, today) }
  expect(remainingDaysColor(term, today)).toBe(color)
})

test('what is permanent is green', () => {
  expect(remainingDaysColor({ startDate: '2020-01-01', endDate: null }, today)).toBe('green')
})

test.each([
  [0, 'green'],
  [1, 'green'],
  [79, 'green'],
  [80, 'orange'],
  [94, 'orange'],
  [95, 'red'],
  [99, 'red'],
  [100, 'red'],
])('%i % used are %s', (percentage, color) => {
  expect(usedPercentageColor(percentage)).toBe(color)
})
