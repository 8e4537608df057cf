import { describe, expect, test } from 'vitest'
import type { FilterKind } from '#web/table/columns/column.ts'
import { readColumnFilter } from '#web/table/filters/column-filter.ts'

const text: FilterKind = { kind: 'text', methods: ['contains', 'equals'], hasValues: true }
const equals: FilterKind = { kind: 'text', methods: ['equals'] }
const number: FilterKind = { kind: 'number' }
const time: FilterKind = { kind: 'time' }
const day: FilterKind = { kind: 'day' }

describe('a saved filter comes back', () => {
  test.each<[FilterKind, object]>([
    [text, { filterType: 'text', type: 'contains', filter: 'flu' }],
    [text, { filterType: 'text', type: 'equals', filter: 'Fluent' }],
    [text, { filterType: 'set', values: ['a', null] }],
    [text, { filterType: 'set', type: 'except', values: ['a', null] }],
    [equals, { filterType: 'text', type: 'equals', filter: 'AEU' }],
    [number, { filterType: 'number', type: 'equals', filter: 0.5 }],
    [number, { filterType: 'number', type: 'lessThanOrEqual', filter: 30 }],
    [number, { filterType: 'number', type: 'inRange', filter: 1, filterTo: 3 }],
    [day, { filterType: 'text', type: 'contains', filter: '2026-1' }],
    [day, { filterType: 'date', type: 'inRange', dateFrom: '2026-01-01', dateTo: null }],
    [time, { filterType: 'date', type: 'startsWith', filter: '2026-1' }],
    [time, { filterType: 'date', type: 'inRange', dateFrom: '2026-01-01T00:00:00.000Z', dateTo: null }],
  ])('the filter of %j reads %j as it was saved', (kind, saved) => {
    expect(readColumnFilter(kind, saved)).toEqual(saved)
  })
})

describe('a saved filter that makes no sense for the column is forgotten', () => {
  test.each<[FilterKind | undefined, unknown]>([
    [undefined, { filterType: 'text', type: 'contains', filter: 'flu' }],
    [text, undefined],
    [text, 'flu'],
    [text, { filterType: 'text', type: 'contains', filter: '' }],
    [text, { filterType: 'text', type: 'startsWith', filter: 'flu' }],
    [text, { filterType: 'set', values: [] }],
    [text, { filterType: 'set', type: 'except', values: [] }],
    [text, { filterType: 'set', values: [1] }],
    [equals, { filterType: 'text', type: 'contains', filter: 'A' }],
    [equals, { filterType: 'set', values: ['AEU'] }],
    [number, { filterType: 'number', type: 'equals', filter: '5' }],
    [number, { filterType: 'number', type: 'equals', filter: null }],
    [number, { filterType: 'number', type: 'inRange', filter: 1 }],
    [day, { filterType: 'text', type: 'contains', filter: '' }],
    [time, { filterType: 'date', type: 'inRange', dateFrom: null, dateTo: null }],
    [time, { filterType: 'date', type: 'inRange', dateFrom: 'soon', dateTo: null }],
  ])('the filter of %j ignores %j', (kind, saved) => {
    expect(readColumnFilter(kind, saved)).toBeUndefined()
  })
})
