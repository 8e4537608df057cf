import { expect, test } from 'vitest'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { FIELD_TYPES, type FieldType } from '#domain/filter/fields.ts'

const sorted = (type: FieldType, values: unknown[], descending = false, missingIsFuture = false) =>
  values
    .map((value) => ({ value }))
    .sort(compareBy([{ name: 'value', type, descending, missingIsFuture }]))
    .map(({ value }) => value)

test.each<[FieldType, unknown[]]>([
  ['text', ['', ' ', '10', '9', 'A', 'Z', 'a', 'ä', '\uE000', '\uFFFD', '\u{10000}', '😀', null]],
  ['number', [-2, -1.5, '0.1', 0.3, 9, 10, '9007199254740993', '9007199254740993.1', null]],
  ['instant', ['1969-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', null]],
  ['day', ['2025-12-31', '2026-01-01', '2026-10-01', null]],
  ['boolean', [false, true, null]],
])('%s ascends like this, with what is missing last in both directions', (type, values) => {
  expect(sorted(type, [...values].reverse())).toEqual(values)
  expect(sorted(type, values, true)).toEqual([...values.slice(0, -1).reverse(), null])
})

test('a missing end sorts after all others', () => {
  const days = ['2025-12-31', '2026-01-01', null]
  expect(sorted('day', [...days].reverse(), false, true)).toEqual(days)
  expect(sorted('day', days, true, true)).toEqual([...days].reverse())
})

test('the second rule decides between rows that are equal by the first', () => {
  const rows = [{ product: 'B', count: 1 }, { product: 'A', count: 1 }, { product: 'A', count: 2 }, { count: 3 }]
  const order = compareBy([
    { name: 'product', type: 'text', descending: false },
    { name: 'count', type: 'number', descending: true },
  ])
  expect([...rows].sort(order).map(({ count }) => count)).toEqual([2, 1, 1, 3])
})

test('no rules keep the order', () => {
  expect(FIELD_TYPES.map((type) => ({ type })).sort(compareBy([]))).toEqual(FIELD_TYPES.map((type) => ({ type })))
})
