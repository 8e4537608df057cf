import type { ColDef, GridApi } from 'ag-grid-community'
import { gridColumn, type Line } from '#web/ui/grid/grid-columns.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { columnWidths, stickyColumns } from '#web/ui/grid/model/column-widths.ts'
import type { ColumnSort, TableView } from '#web/ui/grid/model/table-view.ts'

type Shown = {
  colId: string
  hide: boolean
  pinned: 'left' | null
  sort: 'asc' | 'desc' | null
  sortIndex: number | null
  width: number
}

/** How the view says that the columns are drawn in the room that there is, from left to right. */
function shownColumns(columns: readonly Column<never>[], view: TableView, available: number): Shown[] {
  const widths = columnWidths(columns, view, available)
  const sticky = stickyColumns(columns, available)
  return view.order.flatMap((colId) => {
    const column = columns.find(({ id }) => id === colId)
    if (!column) return []
    const place = view.sorting.findIndex((one) => one.column === colId)
    return {
      colId,
      hide: view.hidden.includes(colId),
      pinned: sticky.includes(colId) ? 'left' : null,
      sort: view.sorting[place]?.direction ?? null,
      sortIndex: place < 0 ? null : place,
      width: widths[colId] ?? column.width,
    }
  })
}

/** Columns that begin as the view says: arranging them once they are drawn costs as much as drawing them. */
export function initialColumns<Row>(
  columns: readonly Column<Row>[],
  view: TableView,
  available: number,
): ColDef<Line<Row>, string>[] {
  return shownColumns(columns, view, available).map(({ colId, hide, pinned, sort, sortIndex, width }) => ({
    ...gridColumn(columns.find(({ id }) => id === colId)!),
    initialHide: hide,
    initialPinned: pinned ?? false,
    initialSort: sort,
    ...(sortIndex === null ? {} : { initialSortIndex: sortIndex }),
    initialWidth: width,
  }))
}

/** Draws the columns as the view says. */
export function showColumns(api: GridApi, columns: readonly Column<never>[], view: TableView, available: number): void {
  api.applyColumnState({ applyOrder: true, state: shownColumns(columns, view, available) })
}

export function shownOrder(api: GridApi): string[] {
  return api.getColumnState().map((column) => column.colId)
}

export function shownSorting(api: GridApi): ColumnSort[] {
  return api
    .getColumnState()
    .filter((column) => column.sort)
    .sort((one, other) => (one.sortIndex ?? 0) - (other.sortIndex ?? 0))
    .map(({ colId, sort }) => ({ column: colId, direction: sort === 'desc' ? 'desc' : 'asc' }))
}
