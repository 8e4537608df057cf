import { expect, test } from 'vitest'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { filterWords } from '#web/table/filters/filter-words.ts'

const COLUMNS = [
  { id: 'product', header: 'Product', filter: { kind: 'text', methods: ['contains', 'equals'] } },
  { id: 'category', header: 'Category', filter: { kind: 'text', methods: ['equals'], valueText: () => 'Outage' } },
  { id: 'cost', header: 'Cost', filter: { kind: 'number' } },
  { id: 'end', header: 'End Date', filter: { kind: 'day' } },
] as const

test.each<[id: string, filter: ColumnFilter, words: string]>([
  ['product', { filterType: 'text', type: 'contains', filter: 'pro' }, 'Product contains "pro"'],
  ['product', { filterType: 'set', values: ['HPC Pack', null] }, 'Product: HPC Pack, (Blank)'],
  ['product', { filterType: 'set', type: 'except', values: ['HPC Pack'] }, 'Product is not HPC Pack'],
  ['category', { filterType: 'set', values: ['CRITICAL'] }, 'Category: Outage'],
  ['cost', { filterType: 'number', type: 'equals', filter: 5 }, 'Cost = 5'],
  ['cost', { filterType: 'number', type: 'greaterThan', filter: 5 }, 'Cost > 5'],
  ['cost', { filterType: 'number', type: 'inRange', filter: 5, filterTo: 9 }, 'Cost 5 – 9'],
  ['end', { filterType: 'date', type: 'startsWith', filter: '2026-1' }, 'End Date 2026-1'],
  [
    'end',
    { filterType: 'date', type: 'inRange', dateFrom: '2026-01-01', dateTo: '2026-02-01' },
    'End Date 2026-01-01 – 2026-02-01',
  ],
  ['end', { filterType: 'date', type: 'inRange', dateFrom: null, dateTo: '2026-02-01' }, 'End Date to 2026-02-01'],
])('the filter %s %o is put into words', (id, filter, words) => {
  expect(filterWords(COLUMNS, { [id]: filter }).map(({ text }) => text)).toEqual([words])
})
