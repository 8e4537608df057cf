import type { CSSProperties } from 'react'
import { type Column, isRightAligned } from '#web/table/columns/column.ts'
import type { ControlColumn } from '#web/table/engine.ts'

/** A column as it is drawn: one of the page's, or one of the table's own. */
export type DrawnColumn<Row> = {
  id: string
  column: Column<Row> | undefined
  /** How far from the left a pinned column stays. */
  left: number | undefined
  /** `left` as a style. Only sticky cells use it. */
  style: CSSProperties | undefined
  isLastPinned: boolean
}

/** The attributes of a cell in a column. */
export const cellProps = <Row>({ id, column, left, style, isLastPinned }: DrawnColumn<Row>) => ({
  role: 'gridcell',
  tabIndex: -1,
  'data-cell': true,
  'data-col': id,
  'data-kind': column?.kind,
  'data-right': (column && isRightAligned(column)) || undefined,
  'data-pinned': left !== undefined || undefined,
  'data-last-pinned': isLastPinned || undefined,
  style,
})

export function isControl(id: string): id is ControlColumn {
  return id.startsWith('$')
}

/** Pinned columns first, each kind in its order. */
export function drawnColumns<Row>(
  start: readonly { id: string; getStart(position: 'start'): number }[],
  center: readonly { id: string }[],
  columns: readonly Column<Row>[],
): DrawnColumn<Row>[] {
  const columnOf = (id: string) => columns.find((column) => column.id === id)
  return [
    ...start.map((one, index) => {
      const left = one.getStart('start')
      const style = { '--left': `${left}px` } as CSSProperties
      return { id: one.id, column: columnOf(one.id), left, style, isLastPinned: index === start.length - 1 }
    }),
    ...center.map(({ id }) => ({
      id,
      column: columnOf(id),
      left: undefined,
      style: undefined,
      isLastPinned: false,
    })),
  ]
}
