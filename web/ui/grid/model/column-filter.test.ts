import { describe, expect, test } from 'vitest'
import { CONTAINS_OR_EQUALS, EQUALS_ONLY, type FilterKind } from '#web/ui/grid/model/column.ts'
import { readColumnFilter } from '#web/ui/grid/model/column-filter.ts'

const text: FilterKind = { kind: 'text', methods: CONTAINS_OR_EQUALS, hasValues: true }
const equals: FilterKind = { kind: 'text', methods: EQUALS_ONLY }
const number: FilterKind = { kind: 'number' }
const time: FilterKind = { kind: 'time' }

describe('a saved filter comes back', () => {
  test.each<[FilterKind, object]>([
    [text, { filterType: 'text', type: 'contains', filter: 'flu' }],
    [text, { filterType: 'text', type: 'equals', filter: 'Fluent' }],
    [text, { filterType: 'set', values: ['a', null] }],
    [text, { filterType: 'set', type: 'except', values: ['a', null] }],
    [equals, { filterType: 'text', type: 'equals', filter: 'AEU' }],
    [number, { filterType: 'number', type: 'equals', filter: 0.5 }],
    [time, { filterType: 'date', type: 'startsWith', filter: '2026-1' }],
    [time, { filterType: 'date', type: 'inRange', dateFrom: '2026-01-01T00:00:00.000Z', dateTo: null }],
  ])('%j: %j', (kind, saved) => {
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
    [time, { filterType: 'date', type: 'inRange', dateFrom: null, dateTo: null }],
    [time, { filterType: 'date', type: 'inRange', dateFrom: 'soon', dateTo: null }],
  ])('%j: %j', (kind, saved) => {
    expect(readColumnFilter(kind, saved)).toBeUndefined()
  })
})
