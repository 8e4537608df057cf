import { expect, test } from 'vitest'
import { NOTHING_SELECTED, selectedCount, selectPage } from '#web/table/rows/selection.ts'

test('selecting a page keeps the rows of other pages', () => {
  const first = selectPage(NOTHING_SELECTED, ['a', 'b'], true)
  const both = selectPage(first, ['c'], true)
  expect(both.keys).toEqual({ a: true, b: true, c: true })
  expect(selectPage(both, ['a', 'b'], false).keys).toEqual({ c: true })
})

test('a selection of all that match counts the total', () => {
  expect(selectedCount({ keys: { a: true }, isAllMatching: true }, 300)).toBe(300)
  expect(selectedCount({ keys: { a: true }, isAllMatching: false }, 300)).toBe(1)
})

test('unticking something ends the selection of all that match', () => {
  expect(selectPage({ keys: { a: true }, isAllMatching: true }, ['a'], false).isAllMatching).toBe(false)
})
