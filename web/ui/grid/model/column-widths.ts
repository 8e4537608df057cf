import type { Column } from '#web/ui/grid/model/column.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'

const MIN_WIDTH = 64

/** In less room than this, a column that stays in sight would leave too little for the others. */
const ROOM_FOR_STICKY = 640

export function minWidthOf(column: Pick<Column<never>, 'width'>): number {
  return Math.min(MIN_WIDTH, column.width)
}

/** The columns that stay in sight when the table is scrolled sideways. */
export function stickyColumns(columns: readonly Pick<Column<never>, 'id' | 'isSticky'>[], available: number): string[] {
  return available < ROOM_FOR_STICKY ? [] : columns.filter((column) => column.isSticky).map((column) => column.id)
}

/**
 * How wide each visible column is drawn: as the person set it, or its own width and a share of the room that is left.
 * A table never gets narrower than its columns: it is scrolled then.
 */
export function columnWidths(
  columns: readonly Pick<Column<never>, 'id' | 'width'>[],
  { hidden, widths }: Pick<TableView, 'hidden' | 'widths'>,
  available: number,
): Record<string, number> {
  const visible = columns.filter((column) => !hidden.includes(column.id))
  const free = visible.filter((column) => widths[column.id] === undefined)
  const wanted = visible.reduce((sum, column) => sum + (widths[column.id] ?? column.width), 0)
  const stretchable = free.reduce((sum, column) => sum + column.width, 0)
  const factor = stretchable > 0 ? 1 + Math.max(0, available - wanted) / stretchable : 1
  return Object.fromEntries(
    visible.map((column) => [column.id, widths[column.id] ?? Math.floor(column.width * factor)]),
  )
}

/** Whether the columns have to be scrolled sideways. */
export function isWiderThan(
  available: number,
  columns: readonly Pick<Column<never>, 'id' | 'width'>[],
  view: Pick<TableView, 'hidden' | 'widths'>,
): boolean {
  const widths = Object.values(columnWidths(columns, view, available))
  return widths.reduce((sum, width) => sum + width, 0) > available
}
