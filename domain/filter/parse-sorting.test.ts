import { describe, expect, test } from 'vitest'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { FIELD_TYPES, type Fields, type FieldType } from '#domain/filter/fields.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'

const fields: Fields = {
  id: { type: 'number' },
  product: { type: 'text' },
  cost: { type: 'number', sortable: false },
  services: { type: 'text-list' },
}

test('rules keep their order, in either spelling of the direction', () => {
  const input = [
    { name: 'product', direction: 'DESC' },
    { name: 'id', direction: 'asc' },
  ]
  expect(parseSorting(fields, input)).toEqual([
    { name: 'product', type: 'text', descending: true },
    { name: 'id', type: 'number', descending: false },
  ])
  expect(parseSorting(fields, undefined)).toEqual([])
  expect(parseSorting(fields, null)).toEqual([])
})

test.each([
  [{}, 'sorting: must be a list'],
  [['product'], 'sorting[0]: must be an object {name, direction}'],
  [[{ direction: 'asc' }], 'sorting[0]: name must be the name of a field'],
  [[{ name: 'constructor', direction: 'asc' }], "sorting[0]: unknown field 'constructor'"],
  [[{ name: 'services', direction: 'asc' }], "sorting[0]: field 'services' cannot be sorted by"],
  [[{ name: 'cost', direction: 'asc' }], "sorting[0]: field 'cost' cannot be sorted by"],
  [[{ name: 'product', direction: 'up' }], "sorting[0]: direction must be 'asc' or 'desc'"],
  [[{ name: 'product' }], "sorting[0]: direction must be 'asc' or 'desc'"],
  [[{ name: 'product', direction: 'asc', nulls: 'last' }], "sorting[0]: unknown key 'nulls'"],
  [Array(2).fill({ name: 'id', direction: 'asc' }), "sorting[1]: field 'id' is sorted by twice"],
  [Array(21).fill({ name: 'id', direction: 'asc' }), 'sorting: more than 20 rules'],
])('%j is refused: %s', (input, message) => {
  expect(() => parseSorting(fields, input)).toThrow(expect.objectContaining({ name: 'FilterError', message }))
})

test('the key ends every order, in the direction of the rule before it', () => {
  const list = { fields, key: ['id'], defaultSort: [{ name: 'product', type: 'text', descending: true } as const] }
  expect(completeOrder(list, []).map(({ name, descending }) => [name, descending])).toEqual([
    ['product', true],
    ['id', true],
  ])
  expect(completeOrder(list, parseSorting(fields, [{ name: 'id', direction: 'asc' }]))).toEqual([
    { name: 'id', type: 'number', descending: false },
  ])
})

describe('comparing rows', () => {
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
  ])('%s values ascend as listed, and missing ones are last in both directions', (type, values) => {
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

  test('rows keep their order without rules', () => {
    expect(FIELD_TYPES.map((type) => ({ type })).sort(compareBy([]))).toEqual(FIELD_TYPES.map((type) => ({ type })))
  })
})
