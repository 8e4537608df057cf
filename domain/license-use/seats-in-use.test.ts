import { expect, test } from 'vitest'
import { peakOf, percentileInUse, toUseSteps } from '#domain/license-use/seats-in-use.ts'

const OPEN = Number.POSITIVE_INFINITY

test.each([
  ['none', [], 0],
  [
    'two after each other',
    [
      { from: 0, to: 10, count: 2 },
      { from: 10, to: 20, count: 3 },
    ],
    3,
  ],
  [
    'two at once',
    [
      { from: 0, to: 11, count: 2 },
      { from: 10, to: 20, count: 3 },
    ],
    5,
  ],
  ['one that is out', [{ from: 0, to: OPEN, count: 4 }], 4],
  ['one that came back at once', [{ from: 5, to: 5, count: 4 }], 0],
])('the peak of %s', (_, intervals, peak) => {
  expect(peakOf(toUseSteps(intervals))).toBe(peak)
})

test.each([
  [0.95, 1],
  [0.96, 9],
  [1, 9],
  [0.5, 1],
])('for %s of the time in use, %i seats are enough', (share, seats) => {
  const steps = toUseSteps([
    { from: 0, to: 100, count: 1 },
    { from: 95, to: 100, count: 8 },
  ])
  expect(percentileInUse(steps, 1000, share)).toBe(seats)
})

test('nothing in use needs no seats', () => {
  expect(percentileInUse([], 1000, 0.95)).toBe(0)
})
