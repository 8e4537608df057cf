import { expect, test } from 'vitest'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { criteriaOf } from '#web/table/filters/filter-criteria.ts'

const COLUMNS = [
  { id: 'Product' },
  { id: 'Count', field: 'ProductCount' },
  { id: 'Start' },
  { id: 'End', filter: 'day' as const },
]
const FIELDS = {
  Product: { type: 'text' },
  ProductCount: { type: 'number' },
  Start: { type: 'instant' },
  End: { type: 'day' },
} as const
const local = (...parts: Parameters<typeof Date.UTC>) => new Date(...(parts as [number, number])).toISOString()

test.each<[column: string, filter: ColumnFilter, expected: object]>([
  [
    'Product',
    { filterType: 'text', type: 'contains', filter: 'flu' },
    { name: 'Product', method: 'CONTAINS', value: 'flu', casefold: true },
  ],
  [
    'Product',
    { filterType: 'text', type: 'equals', filter: 'Fluent' },
    { name: 'Product', method: 'EQUALS', value: 'Fluent', casefold: true },
  ],
  ['Count', { filterType: 'number', type: 'equals', filter: 4 }, { name: 'ProductCount', method: 'EQUALS', value: 4 }],
  [
    'Product',
    { filterType: 'set', values: ['a', null] },
    {
      condition: 'ANY',
      criteria: [
        { name: 'Product', method: 'EQUALS', value: 'a', casefold: false },
        { name: 'Product', method: 'EQUALS', value: null, casefold: false },
      ],
    },
  ],
  [
    'Product',
    { filterType: 'set', type: 'except', values: ['a', null] },
    {
      condition: 'ALL',
      criteria: [
        { name: 'Product', method: 'EQUALS', value: 'a', casefold: false, not: true },
        { name: 'Product', method: 'EQUALS', value: null, casefold: false, not: true },
      ],
    },
  ],
  [
    'Start',
    { filterType: 'date', type: 'inRange', dateFrom: null, dateTo: '2026-02-01T00:00:00.999Z' },
    { name: 'Start', method: 'DATERANGE', value: [null, '2026-02-01T00:00:00.999Z'] },
  ],
  // Typed times are the reader's own, and end with the last millisecond that begins like them.
  [
    'Start',
    { filterType: 'date', type: 'startsWith', filter: '2026-11-1' },
    { name: 'Start', method: 'DATERANGE', value: [local(2026, 10, 10), local(2026, 10, 19, 23, 59, 59, 999)] },
  ],
  [
    'Start',
    { filterType: 'date', type: 'startsWith', filter: '> 2026-11' },
    { name: 'Start', method: 'DATERANGE', value: [local(2026, 11, 1), null] },
  ],
  [
    'Count',
    { filterType: 'number', type: 'lessThanOrEqual', filter: 30 },
    { name: 'ProductCount', method: '<=', value: 30 },
  ],
  [
    'Count',
    { filterType: 'number', type: 'inRange', filter: 1, filterTo: 3 },
    { name: 'ProductCount', method: 'INRANGE', value: [1, 3] },
  ],
  [
    'End',
    { filterType: 'text', type: 'contains', filter: '2026-0' },
    { name: 'End', method: 'CONTAINS', value: '2026-0', tostring: true },
  ],
  [
    'End',
    { filterType: 'text', type: 'contains', filter: '2026-01 – 2026-03' },
    { name: 'End', method: 'DATERANGE', value: ['2026-01-01', '2026-03-31'] },
  ],
  [
    'Start',
    { filterType: 'date', type: 'startsWith', filter: 'tomorrow' },
    { name: 'Start', method: 'STARTSWITH', value: 'tomorrow', tostring: true },
  ],
])('%s filtered by %j asks for %j, which the server understands', (column, filter, expected) => {
  const criteria = criteriaOf(COLUMNS, { [column]: filter })
  expect(criteria).toEqual([expected])
  expect(() => parseFilter(FIELDS, { condition: 'ALL', criteria })).not.toThrow()
})

test.each<[filter: ColumnFilter, found: (string | null)[]]>([
  [{ filterType: 'set', values: ['a', null] }, ['a', null]],
  [{ filterType: 'set', type: 'except', values: ['a'] }, ['A', 'b', null]],
  [{ filterType: 'set', type: 'except', values: ['a', null] }, ['A', 'b']],
  [{ filterType: 'set', type: 'except', values: [null] }, ['a', 'A', 'b']],
])('%j lets %j pass', (filter, found) => {
  const parsed = parseFilter(FIELDS, { condition: 'ALL', criteria: criteriaOf(COLUMNS, { Product: filter }) })
  expect(['a', 'A', 'b', null].filter((Product) => matches(parsed, { Product }))).toEqual(found)
})
