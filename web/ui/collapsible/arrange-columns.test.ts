import { expect, test } from 'vitest'
import { drawnColumns, moveColumn, nextSorting } from '#web/ui/collapsible/arrange-columns.ts'

test.each([
  ['a', 'c', ['b', 'c', 'a']],
  ['c', 'a', ['c', 'a', 'b']],
  ['b', 'b', ['a', 'b', 'c']],
])('%s moves to where %s stood', (id, to, order) => {
  expect(moveColumn(['a', 'b', 'c'], id, to)).toEqual(order)
})

test('what stays in sight is drawn first, what is hidden not at all', () => {
  const columns = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  const view = { order: ['d', 'c', 'b', 'a'], hidden: ['c'] }
  expect(drawnColumns(columns, view, []).map(({ id }) => id)).toEqual(['d', 'b', 'a'])
  expect(drawnColumns(columns, view, ['a']).map(({ id }) => id)).toEqual(['a', 'd', 'b'])
})

const asc = (column: string) => ({ column, direction: 'asc' as const })
const desc = (column: string) => ({ column, direction: 'desc' as const })

test.each([
  ['sorts by it alone', [asc('a')], 'b', false, [asc('b')]],
  ['turns it round', [asc('a')], 'a', false, [desc('a')]],
  ['lets go of it', [desc('a')], 'a', false, []],
  ['adds it behind the others', [asc('a')], 'b', true, [asc('a'), asc('b')]],
  ['turns it round in its place', [asc('a'), asc('b')], 'a', true, [desc('a'), asc('b')]],
  ['takes it out from among the others', [desc('a'), asc('b')], 'a', true, [asc('b')]],
] as const)('a click %s', (_, sorting, column, isFurther, next) => {
  expect(nextSorting(sorting, column, isFurther)).toEqual(next)
})
