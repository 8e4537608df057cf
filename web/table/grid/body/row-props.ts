import type { ReactNode } from 'react'
import type { RowBehavior } from '#web/table/grid/body/row-behavior.ts'
import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'

/** What is drawn as a row, whether as columns or as the two lines of a phone. */
export type BodyRowProps<Row> = {
  row: Row
  rowKey: string
  index: number
  /** How many rows stand above the first one: names and filters of the columns. */
  headRows: number
  drawn: readonly DrawnColumn<Row>[]
  behavior: RowBehavior<Row>
  isSelected: boolean
  isExpanded: boolean
  canExpand: boolean
  depth: number
  /** Below the row: that its children are being loaded, or could not be. */
  children?: ReactNode
}
