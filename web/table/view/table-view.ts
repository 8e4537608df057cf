import type { TablePreference } from '#contract/settings/preferences.ts'
import { type Column, filterOf } from '#web/table/columns/column.ts'
import { type ColumnFilters, readColumnFilter } from '#web/table/filters/column-filter.ts'

export type ColumnSort = { readonly column: string; readonly direction: 'asc' | 'desc' }

/** How a person has set up a table. */
export type TableView = {
  readonly filters: ColumnFilters
  /** The strongest first. */
  readonly sorting: readonly ColumnSort[]
  /** Every column, hidden ones included. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Only of columns whose width was changed. */
  readonly widths: Readonly<Record<string, number>>
  /** Columns that stay in view when the table scrolls sideways; remembered by the browser, not by the server. */
  readonly pinned: readonly string[]
}

/** The part of a preference that every table has. */
export type SavedColumns = Pick<
  TablePreference,
  'filterModel' | 'sortModel' | 'columnOrder' | 'hiddenColumns' | 'columnWidths'
>

type Columns = readonly Pick<Column<never>, 'id' | 'filter' | 'isHidden' | 'isSortable' | 'isSticky'>[]

export function defaultView(columns: Columns, sorting: readonly ColumnSort[] = []): TableView {
  return {
    filters: {},
    sorting,
    order: columns.map((column) => column.id),
    hidden: columns.filter((column) => column.isHidden).map((column) => column.id),
    widths: {},
    pinned: columns.filter((column) => column.isSticky).map((column) => column.id),
  }
}

/** Applies a saved view to the current columns: removed columns are dropped, new ones get their default position. */
export function viewOf(saved: SavedColumns, columns: Columns, initial: TableView): TableView {
  const known = new Map(columns.map((column) => [column.id, column]))
  const filters: Record<string, ColumnFilters[string]> = {}
  for (const [id, model] of Object.entries(saved.filterModel ?? {})) {
    const filter = readColumnFilter(filterOf(known.get(id) ?? {}), model)
    if (filter) filters[id] = filter
  }
  return {
    filters,
    sorting: saved.sortModel ? sortingOf(saved.sortModel, known) : initial.sorting,
    order: saved.columnOrder ? orderOf(saved.columnOrder, initial.order) : initial.order,
    hidden: saved.hiddenColumns?.filter((id) => known.has(id)) ?? initial.hidden,
    widths: Object.fromEntries(Object.entries(saved.columnWidths ?? {}).filter(([id]) => known.has(id))),
    pinned: initial.pinned,
  }
}

function sortingOf(
  model: NonNullable<TablePreference['sortModel']>,
  known: ReadonlyMap<string, Columns[number]>,
): ColumnSort[] {
  return model
    .filter(({ colId }) => known.has(colId) && known.get(colId)?.isSortable !== false)
    .toSorted((one, other) => (one.sortIndex ?? 0) - (other.sortIndex ?? 0))
    .map(({ colId, sort }) => ({ column: colId, direction: sort }))
}

function orderOf(saved: readonly string[], initial: readonly string[]): string[] {
  const order = [...new Set(saved)].filter((id) => initial.includes(id))
  for (const [index, id] of initial.entries()) {
    if (order.includes(id)) continue
    const before = initial[index - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  }
  return order
}

/** The part of a view that is saved: only what differs from the default. */
export function savedColumnsOf(view: TableView, initial: TableView): SavedColumns {
  return {
    ...(isEmpty(view.filters) ? {} : { filterModel: { ...view.filters } }),
    ...(isSame(view.sorting, initial.sorting)
      ? {}
      : {
          sortModel: view.sorting.map(({ column, direction }, sortIndex) => ({
            colId: column,
            sort: direction,
            sortIndex,
          })),
        }),
    ...(isSame(view.order, initial.order) ? {} : { columnOrder: [...view.order] }),
    ...(isSameSet(view.hidden, initial.hidden) ? {} : { hiddenColumns: [...view.hidden] }),
    ...(isEmpty(view.widths) ? {} : { columnWidths: { ...view.widths } }),
  }
}

export function isDefaultView(view: TableView, initial: TableView): boolean {
  return isEmpty(savedColumnsOf(view, initial)) && isSameSet(view.pinned, initial.pinned)
}

/** Whether a column filters or sorts the rows. */
export function usesColumn({ filters, sorting }: TableView, column: string): boolean {
  return filters[column] !== undefined || sorting.some((one) => one.column === column)
}

/** A column takes the place of another, which moves aside. */
export function moveColumn(view: TableView, id: string, to: string): TableView {
  const index = view.order.indexOf(to)
  return { ...view, order: view.order.filter((one) => one !== id).toSpliced(index, 0, id) }
}

export function pinColumn(view: TableView, id: string, isPinned: boolean): TableView {
  const others = view.pinned.filter((one) => one !== id)
  return { ...view, pinned: isPinned ? [...others, id] : others }
}

export function hasFilters(view: TableView): boolean {
  return !isEmpty(view.filters)
}

const isEmpty = (record: object) => Object.keys(record).length === 0
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isSameSet = (one: readonly string[], other: readonly string[]) => isSame(one.toSorted(), other.toSorted())

export function showAllColumns(view: TableView): TableView {
  return { ...view, hidden: [] }
}

export function showColumn(view: TableView, id: string): TableView {
  return { ...view, hidden: view.hidden.filter((one) => one !== id) }
}

/** Hiding a column removes its filter, because no hidden filter may be active. */
export function hideColumn(view: TableView, id: string): TableView {
  return { ...withFilter(view, id, undefined), hidden: [...view.hidden, id] }
}

export function withFilter(view: TableView, id: string, filter: ColumnFilters[string] | undefined): TableView {
  const { [id]: _, ...others } = view.filters
  return { ...view, filters: filter ? { ...others, [id]: filter } : others }
}
