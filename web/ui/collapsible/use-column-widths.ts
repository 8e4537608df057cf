import { useState } from 'react'
import type { Column } from '#web/ui/grid/model/column.ts'
import { columnWidths, minWidthOf } from '#web/ui/grid/model/column-widths.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'

export type ColumnWidths = {
  widthOf(column: SizedColumn): number
  /** While its edge is being dragged, only this column changes, so that the edge stays under the pointer. */
  drag(column: SizedColumn, width: number): void
  resize(column: SizedColumn, width: number): void
  /** Back to its own width. */
  release(column: SizedColumn): void
}

type SizedColumn = Pick<Column<never>, 'id' | 'width'>
type Setup = { view: TableView; setView(change: (view: TableView) => TableView): void }

export function useColumnWidths(
  columns: readonly SizedColumn[],
  { view, setView }: Setup,
  available: number,
): ColumnWidths {
  const [dragged, setDragged] = useState<Record<string, number>>()
  const widths = dragged ?? columnWidths(columns, view, available)
  const allowed = (column: SizedColumn, width: number) => Math.round(Math.max(minWidthOf(column), width))
  return {
    widthOf: (column) => widths[column.id] ?? column.width,
    drag: (column, width) => setDragged({ ...widths, [column.id]: allowed(column, width) }),
    resize(column, width) {
      setDragged(undefined)
      setView((now) => ({ ...now, widths: { ...now.widths, [column.id]: allowed(column, width) } }))
    },
    release(column) {
      setDragged(undefined)
      setView(({ widths: { [column.id]: _, ...others }, ...now }) => ({ ...now, widths: others }))
    },
  }
}
