import type { GridApi } from 'ag-grid-community'
import type { Column } from '#web/ui/grid/model/column.ts'
import { columnWidths, stickyColumns } from '#web/ui/grid/model/column-widths.ts'
import type { ColumnSort, TableView } from '#web/ui/grid/model/table-view.ts'

/** Draws the columns as the view says. */
export function showColumns(api: GridApi, columns: readonly Column<never>[], view: TableView, available: number): void {
  const widths = columnWidths(columns, view, available)
  const sticky = stickyColumns(columns, available)
  api.applyColumnState({
    applyOrder: true,
    state: view.order.map((colId) => {
      const place = view.sorting.findIndex((one) => one.column === colId)
      return {
        colId,
        hide: view.hidden.includes(colId),
        pinned: sticky.includes(colId) ? 'left' : null,
        sort: view.sorting[place]?.direction ?? null,
        sortIndex: place < 0 ? null : place,
        ...(widths[colId] === undefined ? {} : { width: widths[colId] }),
      }
    }),
  })
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
