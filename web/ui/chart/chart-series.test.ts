import { expect, test } from 'vitest'
import { type ChartData, pointAfterKey, readingOf, summaryOf } from '#web/ui/chart/chart-series.ts'

test.each<[string, number | undefined, number, number | null | undefined]>([
  ['ArrowRight', undefined, 5, 0],
  ['ArrowRight', 0, 5, 1],
  ['ArrowRight', 4, 5, 4],
  ['ArrowDown', 1, 5, 2],
  ['ArrowLeft', undefined, 5, 4],
  ['ArrowLeft', 3, 5, 2],
  ['ArrowLeft', 0, 5, 0],
  ['ArrowUp', 2, 5, 1],
  ['Home', 3, 5, 0],
  ['End', undefined, 5, 4],
  ['Escape', 3, 5, null],
  ['Escape', undefined, 5, undefined],
  ['Tab', 3, 5, undefined],
  ['ArrowRight', undefined, 1, 0],
  ['ArrowRight', 0, 1, 0],
])('%s at point %s of a chart moves as a person expects', (key, at, count, next) => {
  expect(pointAfterKey(key, at, count)).toBe(next)
})

const chart = (names: readonly string[], points: ChartData['points']): ChartData => ({
  pointName: 'Day',
  series: names.map((name) => ({ name, look: 'bars' })),
  points,
  valueText: (value) => value.toFixed(1),
})
const used = chart(
  ['Used', 'Forecast'],
  [
    { label: 'Mon', values: [3, null] },
    { label: 'Tue', values: [-1, null] },
    { label: 'Wed', values: [1, 2], isSoFar: true },
    { label: 'Thu', values: [null, 2], note: 'runs out' },
  ],
)

test.each([
  [0, 'Mon: Used 3.0'],
  [2, 'Wed so far: Used 1.0, Forecast 2.0'],
  [3, 'Thu (runs out): Forecast 2.0'],
  [9, ''],
])('a chart reads point %i as "%s"', (at, text) => {
  expect(readingOf(used, at)).toBe(text)
})

test('a chart of one series reads the value alone', () => {
  expect(readingOf(chart(['Used'], [{ label: 'Mon', values: [3] }]), 0)).toBe('Mon: 3.0')
})

test('a chart is summed up by the lowest and highest value of every series', () => {
  expect(summaryOf(used)).toBe(
    'Used: lowest -1.0 at Tue, highest 3.0 at Mon. Forecast: 2.0 at Wed so far, the same throughout.',
  )
  expect(summaryOf(chart(['Used'], [{ label: 'Mon', values: [3] }]))).toBe('Used: 3.0 at Mon.')
  expect(summaryOf(chart(['Used'], []))).toBe('')
})
