import { describe, expect, test } from 'vitest'
import { tableAddress } from '#web/table/view/table-address.ts'
import { defaultView, type TableView, viewOf } from '#web/table/view/table-view.ts'
import {
  linkToView,
  readUrlPage,
  readUrlView,
  shownViewId,
  withChanges,
  withoutUrlColumns,
  writeUrlPage,
  writeUrlView,
} from '#web/table/view/url-view.ts'

const COLUMNS = [
  { id: 'A', filter: 'text' as const },
  { id: 'B', filter: 'text' as const },
]
const initial = defaultView(COLUMNS, [{ column: 'A', direction: 'asc' }])

test.each([
  ['a filter', { filters: { B: { filterType: 'text', type: 'contains', filter: 'x & y' } } }, {}],
  ['no sorting', { sorting: [] }, {}],
  [
    'two sort rules',
    {
      sorting: [
        { column: 'B', direction: 'desc' },
        { column: 'A', direction: 'asc' },
      ],
    },
    {},
  ],
  ['a date range', {}, { dateRange: 'Max', activeOnly: true }],
] as const)('%s comes back from the address', (_, change, extra) => {
  const view = { ...initial, ...change }
  const search = writeUrlView('?customer=100001', 't.', { view, extra }, initial)
  expect(search).toMatch(/^\?customer=100001&t\./)
  const { startDate, endDate, dateRange, activeOnly, ...saved } = readUrlView(search, 't.') ?? {}
  expect(viewOf(saved, COLUMNS, initial)).toEqual(view)
  expect({ startDate, endDate, dateRange, activeOnly }).toMatchObject(extra)
  expect(readUrlView(search, '')).toBeUndefined()
})

test('a default view leaves nothing in the address', () => {
  const before = '?customer=100001&filter=%7B%7D&sort=B&dateRange=Max&page=2'
  expect(writeUrlView(before, '', { view: initial, extra: {} }, initial)).toBe('?customer=100001&page=2')
  expect(readUrlView('?customer=100001', '')).toBeUndefined()
})

test('the valid parts of a mistyped address are used', () => {
  expect(readUrlView('?filter={', '')).toBeUndefined()
  expect(readUrlPage('?page=-3&size=7', '', [20, 50])).toEqual({ page: 0, pageSize: undefined })
})

test('page and page size come back from the address', () => {
  const search = writeUrlPage('?customer=1', '', { page: 2, pageSize: 50 })
  expect(search).toBe('?customer=1&page=3&size=50')
  expect(readUrlPage(search, '', [20, 50])).toEqual({ page: 2, pageSize: 50 })
  expect(writeUrlPage(search, '', { page: 0, pageSize: undefined })).toBe('?customer=1')
})

test('an address names the filters of each table of a screen', () => {
  const filters = { A: { filterType: 'text', type: 'contains', filter: '≤ 30' } } as const
  const address = tableAddress('/ssl', { prefix: 'active.', filters }, { prefix: 'other.', activeOnly: true })
  const search = address.slice('/ssl'.length)
  expect(readUrlView(search, 'active.')).toEqual({ filterModel: filters })
  expect(readUrlView(search, 'other.')).toEqual({ activeOnly: true })
  expect(tableAddress('/ssl')).toBe('/ssl')
})

test('a change to a table that was opened by an address saves nothing but that change', () => {
  const text = (filter: string) => ({ filterType: 'text', type: 'contains', filter }) as const
  const own = { view: { ...initial, filters: { A: text('mine') } }, extra: { dateRange: 'Max' } }
  const shown = { view: { ...initial, filters: { B: text('linked') }, hidden: [] }, extra: {} }
  const widened = { ...shown, view: { ...shown.view, widths: { A: 300 } } }
  expect(withChanges(own, shown, widened)).toEqual({ view: { ...own.view, widths: { A: 300 } }, extra: own.extra })
  const filtered = { ...shown, view: { ...shown.view, filters: {} } }
  expect(withChanges(own, shown, filtered)).toEqual({ view: { ...own.view, filters: {} }, extra: own.extra })
})

describe('the named view of an address', () => {
  test.each([
    ['', undefined, undefined],
    ['', 'a', 'a'],
    ['?view=b', 'a', 'b'],
    ['?view=own', 'a', undefined],
    ['?sort=name', 'a', undefined],
    ['?sort=name&view=b', undefined, 'b'],
    ['?other.view=b', undefined, undefined],
  ])('"%s" with the default %s shows %s', (search, defaultView, shown) => {
    expect(shownViewId(search, '', defaultView)).toBe(shown)
  })

  const place = {
    origin: 'https://portal.example',
    pathname: '/emails',
    search: '?customer=1&tab=users&page=3&view=own',
  }
  const link = (view: Partial<TableView>, isShared: boolean) =>
    linkToView(place, '', { view: { ...initial, ...view }, extra: {}, named: { id: 'b', isShared } }, initial)

  test('a link carries filters and sorting, and the id of the view if it is shared', () => {
    const sorting = [{ column: 'B', direction: 'desc' }] as const
    expect(link({ sorting }, false)).toBe('https://portal.example/emails?customer=1&tab=users&columns=&sort=-B')
    expect(link({ sorting }, true)).toBe('https://portal.example/emails?customer=1&tab=users&view=b&columns=&sort=-B')
  })

  test.each<[string, Partial<TableView>, string]>([
    ['as they are at first', {}, ''],
    ['in another order', { order: ['B', 'A'] }, 'B,A'],
    ['with one hidden', { hidden: ['A'] }, '-A,B'],
    ['with other widths', { widths: { B: 120.4 } }, 'A,B~120'],
    ['with all of it', { order: ['B', 'A'], hidden: ['A'], widths: { A: 90, B: 300 } }, 'B~300,-A~90'],
  ])('a link carries the columns %s', (_, change, columns) => {
    const { search } = new URL(link(change, false))
    expect(new URLSearchParams(search).get('columns')).toBe(columns)
    const { widths = {}, ...others } = change
    const rounded = Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, Math.round(width)]))
    const saved = readUrlView(search, '') ?? {}
    expect(viewOf(saved, COLUMNS, initial)).toEqual({ ...initial, ...others, widths: rounded })
  })

  test('columns of a link follow changes, and only links have them', () => {
    const view = { ...initial, hidden: ['A'] }
    expect(writeUrlView('?columns=B,A', '', { view, extra: {} }, initial)).toBe('?columns=-A%2CB')
    expect(writeUrlView('?page=2', '', { view, extra: {} }, initial)).toBe('?page=2')
    expect(withoutUrlColumns('?columns=B,A&page=2', '')).toBe('?page=2')
  })

  test('unknown columns and impossible widths of a link are ignored', () => {
    const saved = readUrlView('?columns=gone,B~9,A~x,-B', '') ?? {}
    expect(viewOf(saved, COLUMNS, initial)).toMatchObject({ order: ['A', 'B'], hidden: ['B'], widths: {} })
  })
})
