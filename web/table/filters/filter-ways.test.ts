import { expect, test } from 'vitest'
import type { FilterKind } from '#web/table/columns/column.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { type FilterWay, wayOf, waysOf } from '#web/table/filters/filter-ways.ts'

const TEXT = { kind: 'text', methods: ['contains', 'equals'] } as const

test.each<[kind: FilterKind, ways: readonly FilterWay[]]>([
  [TEXT, ['contains', 'equals']],
  [{ kind: 'text', methods: ['equals'], hasValues: true }, ['equals', 'values']],
  [{ kind: 'number' }, ['equals']],
  [{ kind: 'time' }, ['starts with', 'range']],
  [{ kind: 'day' }, ['contains', 'range']],
])('a column of kind %o is filtered by %o', (kind, ways) => {
  expect(waysOf(kind)).toEqual(ways)
})

test.each<[way: FilterWay, kind: FilterKind, filter: ColumnFilter | undefined]>([
  ['contains', TEXT, undefined],
  ['equals', TEXT, { filterType: 'text', type: 'equals', filter: 'a' }],
  ['values', TEXT, { filterType: 'set', values: ['a'] }],
  ['equals', { kind: 'number' }, { filterType: 'number', type: 'lessThan', filter: 5 }],
  ['starts with', { kind: 'time' }, { filterType: 'date', type: 'startsWith', filter: '2026' }],
  ['range', { kind: 'day' }, { filterType: 'date', type: 'inRange', dateFrom: '2026-01-01', dateTo: null }],
])('the way %s is found again', (way, kind, filter) => {
  expect(wayOf(kind, filter)).toBe(way)
})
