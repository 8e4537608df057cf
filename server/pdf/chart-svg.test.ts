import { describe, expect, test } from 'vitest'
import { barSvg, dayChartSvg, ticksUpTo } from '#server/pdf/chart-svg.ts'

test.each([
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [14, [0, 5, 10, 15]],
  [50, [0, 10, 20, 30, 40, 50]],
  [1_001, [0, 500, 1000, 1500]],
])('an axis up to %i has the ticks %o', (most, ticks) => {
  expect(ticksUpTo(most)).toEqual(ticks)
})

describe('the chart of days', () => {
  const daysOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ day: `day-${index}`, value: index % 5, limit: index < 10 ? 4 : 6 }))

  test('has a bar for each day with use, and the limit of every day', () => {
    const drawing = dayChartSvg(daysOf(20), 400)
    expect(drawing.match(/<rect /g)).toHaveLength(16)
    // The line is drawn from the left edge of each day to its right edge.
    expect(drawing.match(/H/g)?.length).toBeGreaterThanOrEqual(20)
  })

  test.each([1, 2, 31, 731])('fits its width with %i days and names the first day', (count) => {
    const drawing = dayChartSvg(daysOf(count), 400)
    const rights = [...drawing.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
      ([, x, width]) => Number(x) + Number(width),
    )
    expect(Math.max(0, ...rights)).toBeLessThanOrEqual(400.5)
    expect(drawing).toContain('>day-0</text>')
    expect(drawing.match(/>day-/g)?.length).toBeLessThanOrEqual(7)
  })
})

test.each([
  [{ value: 3, limit: 4 }, '#3b6fd4'],
  [{ value: 4, limit: 4 }, '#c4303a'],
])('a meter of %o is %s', (meter, color) => {
  expect(barSvg({ ...meter, most: 4, width: 101 })).toContain(`width="${meter.value * 25}" height="5" fill="${color}"`)
})
