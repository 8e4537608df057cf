import type { TablePreference } from '#contract/settings/preferences.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { type ColumnFilters, readColumnFilter } from '#web/ui/grid/model/column-filter.ts'

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
}

/** The part of a preference that every table has. */
type SavedColumns = Pick<
  TablePreference,
  'filterModel' | 'sortModel' | 'columnOrder' | 'hiddenColumns' | 'columnWidths'
>

type Columns = readonly Pick<Column<never>, 'id' | 'filter' | 'isHidden' | 'isSortable'>[]

export function defaultView(columns: Columns, sorting: readonly ColumnSort[] = []): TableView {
  return {
    filters: {},
    sorting,
    order: columns.map((column) => column.id),
    hidden: columns.filter((column) => column.isHidden).map((column) => column.id),
    widths: {},
  }
}

/** A saved view over what the table has now: columns that are gone are forgotten, new ones stand in their own place. */
export function viewOf(saved: SavedColumns, columns: Columns, initial: TableView): TableView {
  const known = new Map(columns.map((column) => [column.id, column]))
  const filters: Record<string, ColumnFilters[string]> = {}
  for (const [id, model] of Object.entries(saved.filterModel ?? {})) {
    const filter = readColumnFilter(known.get(id)?.filter, model)
    if (filter) filters[id] = filter
  }
  return {
    filters,
    sorting: saved.sortModel ? sortingOf(saved.sortModel, known) : initial.sorting,
    order: saved.columnOrder ? orderOf(saved.columnOrder, initial.order) : initial.order,
    hidden: saved.hiddenColumns?.filter((id) => known.has(id)) ?? initial.hidden,
    widths: Object.fromEntries(Object.entries(saved.columnWidths ?? {}).filter(([id]) => known.has(id))),
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
  for (const [place, id] of initial.entries()) {
    if (order.includes(id)) continue
    const before = initial[place - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  }
  return order
}

/** What has to be kept to come back to this view: nothing of what is as it was at first. */
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
  return isEmpty(savedColumnsOf(view, initial))
}

/** Whether a column has a say in which rows are shown, or in their order. */
export function goesBy({ filters, sorting }: TableView, column: string): boolean {
  return filters[column] !== undefined || sorting.some((one) => one.column === column)
}

/** Columns that are not shown at all stay behind the one that they followed. */
export function withOrder(view: TableView, shown: readonly string[]): TableView {
  return { ...view, order: orderOf(shown, view.order) }
}

export function hasFilters(view: TableView): boolean {
  return !isEmpty(view.filters)
}

const isEmpty = (record: object) => Object.keys(record).length === 0
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isSameSet = (one: readonly string[], other: readonly string[]) => isSame(one.toSorted(), other.toSorted())

export function showColumn(view: TableView, id: string): TableView {
  return { ...view, hidden: view.hidden.filter((one) => one !== id) }
}

/** A column takes its filter with it: nothing may narrow a table unseen. */
export function hideColumn(view: TableView, id: string): TableView {
  return { ...withFilter(view, id, undefined), hidden: [...view.hidden, id] }
}

export function withFilter(view: TableView, id: string, filter: ColumnFilters[string] | undefined): TableView {
  const { [id]: _, ...others } = view.filters
  return { ...view, filters: filter ? { ...others, [id]: filter } : others }
}
