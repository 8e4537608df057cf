import { type Column, isNeverCut } from '#web/table/columns/column.ts'
import type { TableView } from '#web/table/view/table-view.ts'

const MIN_WIDTH = 64

/** With less room than this, pinned columns would leave too little for the others. */
const ROOM_FOR_PINNED = 640

type Sized = Pick<Column<never>, 'id' | 'width' | 'kind' | 'flexible'>

/** How wide the content of number and date columns is, by column. */
export type ContentWidths = Readonly<Record<string, number>>

const NO_CONTENT: ContentWidths = {}

/** The narrowest width that a column can be given. */
export function minWidthOf(column: Sized, content: ContentWidths = NO_CONTENT): number {
  const least = Math.min(MIN_WIDTH, column.width)
  return isNeverCut(column) ? Math.max(least, content[column.id] ?? 0) : least
}

/** Whether there is room for pinned columns. */
export function canPin(available: number): boolean {
  return available >= ROOM_FOR_PINNED
}

/**
 * How wide each visible column is: as the person set it, or its own width. The flexible column takes the room that is
 * left. A table that needs more room than there is scrolls sideways.
 */
export function columnWidths(
  columns: readonly Sized[],
  { hidden, widths }: Pick<TableView, 'hidden' | 'widths'>,
  available: number,
  content: ContentWidths = NO_CONTENT,
): Record<string, number> {
  const visible = columns.filter((column) => !hidden.includes(column.id))
  const own = (column: Sized) => Math.max(widths[column.id] ?? column.width, minWidthOf(column, content))
  const result = Object.fromEntries(visible.map((column) => [column.id, own(column)]))
  const flexible = visible.find((column) => column.flexible && widths[column.id] === undefined)
  if (flexible?.flexible && available > 0) {
    const others = visible.reduce((sum, column) => (column === flexible ? sum : sum + own(column)), 0)
    result[flexible.id] = Math.floor(Math.max(flexible.flexible.min, available - others))
  }
  return result
}
