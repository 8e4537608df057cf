import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import { EXTRA_TEXTS, type ExtraFields } from '#web/table/view/table-address.ts'
import { type ColumnSort, type SavedColumns, savedColumnsOf, type TableView } from '#web/table/view/table-view.ts'

export type ViewAndExtra = { view: TableView; extra: ExtraFields }

/**
 * The part of a view that is in the address, so that it can be sent to somebody. Without such a part the saved view
 * counts. With one, everything that the address does not mention has its default.
 */
export function readUrlView(search: string, prefix: string): (SavedColumns & ExtraFields) | undefined {
  const params = new URLSearchParams(search)
  const get = (name: string) => params.get(prefix + name)
  const [sort, filter, columns] = [get('sort'), get('filter'), get(COLUMNS)]
  const extra: { -readonly [K in keyof ExtraFields]: ExtraFields[K] } =
    get('activeOnly') === 'true' ? { activeOnly: true } : {}
  for (const name of EXTRA_TEXTS) {
    const value = get(name)
    if (value !== null) extra[name] = value
  }
  const filterModel = filter === null ? undefined : parseFilters(filter)
  const isEmpty = sort === null && filterModel === undefined && columns === null && Object.keys(extra).length === 0
  if (isEmpty) return undefined
  return {
    ...extra,
    ...(columns === null ? {} : parseColumns(columns)),
    ...(filterModel ? { filterModel } : {}),
    ...(sort === null ? {} : { sortModel: parseSorting(sort) }),
  }
}

export function writeUrlView(
  search: string,
  prefix: string,
  { view, extra }: ViewAndExtra,
  initial: TableView,
): string {
  const { filterModel, sortModel } = savedColumnsOf(view, initial)
  // Only links carry columns. Once they are in the address, they follow every change.
  const hasColumns = new URLSearchParams(search).has(prefix + COLUMNS)
  return changed(search, prefix, {
    [COLUMNS]: hasColumns ? formatColumns(view, initial) : undefined,
    filter: filterModel && JSON.stringify(filterModel),
    sort: sortModel && formatSorting(view.sorting),
    startDate: extra.startDate,
    endDate: extra.endDate,
    dateRange: extra.dateRange,
    activeOnly: extra.activeOnly ? 'true' : undefined,
  })
}

/** The columns of a link: those that are shown, in their order. */
const COLUMNS = 'columns'

/** Leaves the columns to the saved view again. */
export const withoutUrlColumns = (search: string, prefix: string): string =>
  changed(search, prefix, { [COLUMNS]: undefined })

/** In the address instead of the id of a named view: the person's own view, although another one is their default. */
export const OWN_VIEW = 'own'

export function writeUrlViewId(search: string, prefix: string, id: string | undefined): string {
  return changed(search, prefix, { view: id })
}

/** The named view that a table shows: the one in the address; without any view there, the default of the person. */
export function shownViewId(search: string, prefix: string, defaultView: string | undefined): string | undefined {
  const id = new URLSearchParams(search).get(`${prefix}view`) ?? (readUrlView(search, prefix) ? OWN_VIEW : defaultView)
  return id === OWN_VIEW ? undefined : id
}

/**
 * A link to the screen with a named view as it is now: filters, sorting, period and columns. The id says which view it is to
 * those who see it.
 */
export function linkToView(
  { origin, pathname, search }: Pick<Location, 'origin' | 'pathname' | 'search'>,
  prefix: string,
  { named, ...shown }: ViewAndExtra & { named: { id: string; isShared: boolean } },
  initial: TableView,
): string {
  const start = changed(search, prefix, { page: undefined, [COLUMNS]: '' })
  const written = writeUrlView(start, prefix, shown, initial)
  return origin + pathname + writeUrlViewId(written, prefix, named.isShared ? named.id : undefined)
}

/**
 * What is saved after a change: the person's own view, with only those parts replaced that they changed. What an address
 * merely showed does not become part of the saved view.
 */
export function withChanges(own: ViewAndExtra, shown: ViewAndExtra, changed: ViewAndExtra): ViewAndExtra {
  const parts = Object.keys(changed.view) as (keyof TableView)[]
  const changes = parts.filter((part) => changed.view[part] !== shown.view[part])
  return {
    view: { ...own.view, ...Object.fromEntries(changes.map((part) => [part, changed.view[part]])) },
    extra: changed.extra === shown.extra ? own.extra : changed.extra,
  }
}

export type UrlPage = { page: number; pageSize: number | undefined }

/** Pages count from zero here and from one in the address. */
export function readUrlPage(search: string, prefix: string, sizes: readonly number[]): UrlPage {
  const params = new URLSearchParams(search)
  const [page, size] = [Number(params.get(`${prefix}page`)), Number(params.get(`${prefix}size`))]
  return {
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0,
    pageSize: sizes.includes(size) ? size : undefined,
  }
}

export function writeUrlPage(search: string, prefix: string, { page, pageSize }: UrlPage): string {
  return changed(search, prefix, {
    page: page > 0 ? String(page + 1) : undefined,
    size: pageSize === undefined ? undefined : String(pageSize),
  })
}

function changed(search: string, prefix: string, values: Record<string, string | undefined>): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) params.delete(prefix + name)
    else params.set(prefix + name, value)
  }
  return params.size === 0 ? '' : `?${params}`
}

function parseFilters(text: string): ColumnFilters | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as ColumnFilters) : undefined
  } catch {
    return undefined
  }
}

function parseSorting(text: string): NonNullable<SavedColumns['sortModel']> {
  return text
    .split(',')
    .filter((rule) => rule !== '')
    .map((rule, sortIndex) => {
      const isDescending = rule.startsWith('-')
      return { colId: isDescending ? rule.slice(1) : rule, sort: isDescending ? 'desc' : 'asc', sortIndex }
    })
}

function formatSorting(sorting: readonly ColumnSort[]): string {
  return sorting.map(({ column, direction }) => (direction === 'desc' ? `-${column}` : column)).join(',')
}

/** Every column in its order: `-` before a hidden one, `~` before a changed width. Empty for the columns as they are at first. */
function formatColumns({ order, hidden, widths }: TableView, initial: TableView): string {
  const { columnOrder, hiddenColumns, columnWidths } = savedColumnsOf({ ...initial, order, hidden, widths }, initial)
  if (!columnOrder && !hiddenColumns && !columnWidths) return ''
  return order
    .map(
      (id) => `${hidden.includes(id) ? '-' : ''}${id}${widths[id] === undefined ? '' : `~${Math.round(widths[id])}`}`,
    )
    .join(',')
}

type LinkedColumns = Required<Pick<SavedColumns, 'columnOrder'>> & Pick<SavedColumns, 'hiddenColumns' | 'columnWidths'>

/** The narrowest and the widest column that a view can have. */
const [NARROWEST, WIDEST] = [10, 5000]

function parseColumns(text: string): LinkedColumns {
  if (text === '') return { columnOrder: [] }
  const columns = text.split(',').map((part) => {
    const [, mark, id = '', width] = /^(-?)(.*?)(?:~(\d{1,4}))?$/.exec(part) ?? []
    return { id, isHidden: mark === '-', width: Number(width) }
  })
  const widths = columns.filter(({ width }) => width >= NARROWEST && width <= WIDEST)
  return {
    columnOrder: columns.map(({ id }) => id),
    hiddenColumns: columns.filter(({ isHidden }) => isHidden).map(({ id }) => id),
    columnWidths: Object.fromEntries(widths.map(({ id, width }) => [id, width])),
  }
}
