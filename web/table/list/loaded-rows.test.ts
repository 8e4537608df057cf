import { expect, test } from 'vitest'
import type { FilterInput } from '#domain/filter/filter.ts'
import { answerFromLoaded, distinctOfLoaded, isAnsweredBy } from '#web/table/list/loaded-rows.ts'

const FIELDS = { Name: { type: 'text' }, Count: { type: 'number' } } as const
const ROWS = [
  { Name: 'Mechanical', Count: 3 },
  { Name: 'Fluent', Count: 12 },
  { Name: 'fluent pre', Count: 3 },
  { Count: 1 },
]
const all: FilterInput = { condition: 'ALL', criteria: [] }
const flu: FilterInput = { condition: 'ALL', criteria: [{ name: 'Name', method: 'CONTAINS', value: 'flu' }] }

test('loaded rows are filtered and sorted as the server would', () => {
  expect(answerFromLoaded(ROWS, FIELDS, flu, [{ name: 'Count', direction: 'asc' }])).toEqual([ROWS[2], ROWS[1]])
})

test('sorting is stable and does not change the given rows', () => {
  const before = [...ROWS]
  expect(answerFromLoaded(ROWS, FIELDS, all, [{ name: 'Count', direction: 'desc' }])).toEqual([
    ROWS[1],
    ROWS[0],
    ROWS[2],
    ROWS[3],
  ])
  expect(ROWS).toEqual(before)
})

test('rows loaded for a wider filter answer a narrower one, but not the reverse', () => {
  expect(isAnsweredBy(FIELDS, all, flu)).toBe(true)
  expect(isAnsweredBy(FIELDS, flu, flu)).toBe(true)
  expect(isAnsweredBy(FIELDS, flu, all)).toBe(false)
})

test('values are listed once, in order, with null for rows that have none', () => {
  expect(distinctOfLoaded(ROWS, FIELDS, all, 'Count')).toEqual(['1', '3', '12'])
  expect(distinctOfLoaded(ROWS, FIELDS, all, 'Name')).toEqual(['Fluent', 'Mechanical', 'fluent pre', null])
})
