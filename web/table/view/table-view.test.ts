import { describe, expect, test } from 'vitest'
import {
  defaultView,
  hideColumn,
  isDefaultView,
  moveColumn,
  pinColumn,
  savedColumnsOf,
  showColumn,
  type TableView,
  usesColumn,
  viewOf,
} from '#web/table/view/table-view.ts'

const COLUMNS = [
  { id: 'A', filter: 'text' as const },
  { id: 'B', filter: 'text' as const },
  { id: 'C', isSortable: false },
  { id: 'D', isHidden: true },
]
const initial = defaultView(COLUMNS, [{ column: 'A', direction: 'asc' }])
const flu = { filterType: 'text', type: 'contains', filter: 'flu' } as const

describe('a view comes back as it was left', () => {
  test.each<[change: string, view: TableView]>([
    ['nothing', initial],
    ['a filter', { ...initial, filters: { B: flu } }],
    [
      'another sorting',
      {
        ...initial,
        sorting: [
          { column: 'B', direction: 'desc' },
          { column: 'A', direction: 'asc' },
        ],
      },
    ],
    ['no sorting', { ...initial, sorting: [] }],
    ['another order', { ...initial, order: ['C', 'A', 'B', 'D'] }],
    ['a hidden column', hideColumn(initial, 'B')],
    ['a column that is hidden at first', showColumn(initial, 'D')],
    ['a width', { ...initial, widths: { A: 300 } }],
  ])('a view with %s comes back as it was left', (change, view) => {
    const saved = savedColumnsOf(view, initial)
    expect(viewOf(saved, COLUMNS, initial)).toEqual(view)
    expect(isDefaultView(view, initial)).toBe(change === 'nothing')
  })

  test('a default view is not saved', () => {
    expect(savedColumnsOf(initial, initial)).toEqual({})
  })
})

describe('a view that was saved for an older table', () => {
  test('removed columns are dropped, and new ones appear at their default position', () => {
    const saved = {
      columnOrder: ['D', 'Gone', 'C', 'A'],
      hiddenColumns: ['Gone', 'A'],
      columnWidths: { Gone: 80, A: 90 },
      filterModel: { Gone: flu, C: flu, A: flu },
      sortModel: [
        { colId: 'Gone', sort: 'asc' as const, sortIndex: 0 },
        { colId: 'C', sort: 'asc' as const, sortIndex: 1 },
        { colId: 'B', sort: 'desc' as const, sortIndex: 2 },
      ],
    }
    expect(viewOf(saved, COLUMNS, initial)).toEqual({
      order: ['D', 'C', 'A', 'B'],
      hidden: ['A'],
      widths: { A: 90 },
      filters: { A: flu },
      sorting: [{ column: 'B', direction: 'desc' }],
      pinned: [],
    })
  })
})

test('hiding a column removes its filter', () => {
  const hidden = hideColumn({ ...initial, filters: { A: flu, B: flu } }, 'B')
  expect(hidden.filters).toEqual({ A: flu })
})

test.each([
  ['A', 'C', ['B', 'C', 'A', 'D']],
  ['C', 'A', ['C', 'A', 'B', 'D']],
  ['B', 'B', ['A', 'B', 'C', 'D']],
])('%s moves to where %s was', (id, to, order) => {
  expect(moveColumn(initial, id, to).order).toEqual(order)
})

test('Reset View unpins a column', () => {
  const pinned = pinColumn(initial, 'B', true)
  expect(isDefaultView(pinned, initial)).toBe(false)
  expect(isDefaultView(pinColumn(pinned, 'B', false), initial)).toBe(true)
})

test.each<[column: string, view: TableView, expected: boolean]>([
  ['A', initial, true],
  ['B', initial, false],
  ['B', { ...initial, filters: { B: flu } }, true],
])('%s of %j gives %s', (column, view, expected) => {
  expect(usesColumn(view, column)).toBe(expected)
})
