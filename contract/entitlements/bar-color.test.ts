import { expect, test } from 'vitest'
import { daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'

test.each([
  [-400, 'red'],
  [0, 'red'],
  [1, 'red'],
  [30, 'red'],
  [31, 'orange'],
  [90, 'orange'],
  [91, 'green'],
  [4000, 'green'],
])('shows %i days left in %s', (days, color) => {
  expect(daysLeftColor(days)).toBe(color)
})

test('shows permanent licenses in green', () => {
  expect(daysLeftColor(null)).toBe('green')
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
])('shows %i %% used in %s', (percentage, color) => {
  expect(usedPercentageColor(percentage)).toBe(color)
})
