import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTicks } from '#domain/chart/value-axis.ts'

test.each([
  [
    [3, 14, 9],
    [0, 5, 10, 15],
  ],
  [[100], [0, 25, 50, 75, 100]],
  [[0.3], [0, 0.1, 0.2, 0.3]],
  [
    [-250, 700],
    [-250, 0, 250, 500, 750],
  ],
  [[0], [0, 0.25, 0.5, 0.75, 1]],
  [[], [0, 0.25, 0.5, 0.75, 1]],
])('the axis of %j has the ticks %j', (values, ticks) => {
  expect(axisTicks(values)).toEqual(ticks)
})

test('an axis has few ticks, and every value and zero between the first and the last', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e14, max: 1e14 }), { maxLength: 20 }), (cents) => {
      const values = cents.map((cent) => cent / 100)
      const ticks = axisTicks(values)
      expect(ticks.length).toBeLessThanOrEqual(7)
      const [first = Number.NaN, last = Number.NaN] = [ticks[0], ticks.at(-1)]
      const slack = (last - first) * 1e-9
      expect(Math.min(0, ...values)).toBeGreaterThanOrEqual(first - slack)
      expect(Math.max(0, ...values)).toBeLessThanOrEqual(last + slack)
    }),
  )
})
