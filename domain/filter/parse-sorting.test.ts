import { expect, test } from 'vitest'
import type { Fields } from '#domain/filter/fields.ts'
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
