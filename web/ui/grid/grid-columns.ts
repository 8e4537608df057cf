import type { ColDef, ICellRendererParams } from 'ag-grid-community'
import { createElement, Fragment, type ReactNode } from 'react'
import { FilterCell } from '#web/ui/grid/filter-row/filter-cell.tsx'
import { IdCell } from '#web/ui/grid/id-cell.tsx'
import type { Column } from '#web/ui/grid/model/column.ts'
import { minWidthOf } from '#web/ui/grid/model/column-widths.ts'
import classes from './data-grid.module.css'

/** A row of the list and the line of the grid that it stands in. */
export type Line<Row> = { place: number; row: Row; key: string }

/** Columns are filtered and sorted by our own lists: the library draws the filter row and shows the arrows. */
const FILTERED_ELSEWHERE = { component: () => null, doesFilterPass: () => true }
const SORTED_ELSEWHERE = () => 0

export function gridColumn<Row>(column: Column<Row>): ColDef<Line<Row>, string> {
  return {
    colId: column.id,
    headerName: column.header,
    minWidth: minWidthOf(column),
    valueGetter: ({ data }) => (data ? column.text(data.row) : ''),
    sortable: column.isSortable !== false,
    comparator: SORTED_ELSEWHERE,
    ...(column.filter ? { filter: FILTERED_ELSEWHERE, floatingFilter: true, floatingFilterComponent: FilterCell } : {}),
    ...(column.align === 'right' ? { cellClass: 'ag-right-aligned-cell', headerClass: 'ag-right-aligned-header' } : {}),
    ...(column.face === 'id' ? { cellClass: classes.id } : {}),
    ...cellOf(column),
    lockPinned: true,
  }
}

/** Plain text is drawn by the library itself, which is many times faster than a component per cell. */
function cellOf<Row>(column: Column<Row>): Pick<ColDef<Line<Row>, string>, 'cellRenderer' | 'equals' | 'tooltip'> {
  const { cell, header } = column
  // Two rows may read the same and still show different things: what is drawn belongs to the row, not to its text.
  if (cell) return { cellRenderer: componentPerRow<Row>((row) => cell(row)), equals: () => false }
  if (column.face === 'id')
    return {
      cellRenderer: componentPerRow<Row>((row) => createElement(IdCell, { id: column.text(row), what: header })),
    }
  return { tooltip: true }
}

/** Lines are used again for other rows; what a cell remembers belongs to the row and must not stay behind. */
function componentPerRow<Row>(draw: (row: Row) => ReactNode) {
  return ({ data }: ICellRendererParams<Line<Row>>) =>
    data && createElement(Fragment, { key: data.key }, draw(data.row))
}
