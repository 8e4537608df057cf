import { expect, test } from 'vitest'
import { toUseSteps } from '#domain/license-use/use/seats-in-use.ts'

test.each([
  ['nothing is in use without checkouts', [], []],
  [
    'a return counts before a checkout of the same second',
    [
      { from: 0, to: 10, count: 2 },
      { from: 10, to: 20, count: 3 },
    ],
    [
      [0, 2],
      [10, 3],
      [20, 0],
    ],
  ],
  [
    'checkouts that overlap add up',
    [
      { from: 0, to: 11, count: 2 },
      { from: 10, to: 20, count: 3 },
    ],
    [
      [0, 2],
      [10, 5],
      [11, 3],
      [20, 0],
    ],
  ],
  ['a seat that is out has no end', [{ from: 0, to: Number.POSITIVE_INFINITY, count: 4 }], [[0, 4]]],
  ['a seat that comes back at once is never in use', [{ from: 5, to: 5, count: 4 }], []],
])('the course of use says that %s', (_, intervals, expected) => {
  expect(toUseSteps(intervals).map(({ at, inUse }) => [at, inUse])).toEqual(expected)
})
