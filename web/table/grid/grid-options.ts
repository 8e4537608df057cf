import type { ReactNode } from 'react'
import type { RowState } from '#web/table/grid/body/row-behavior.ts'
import type { Totals } from '#web/table/grid/body/totals-row.tsx'
import type { useSideways } from '#web/table/grid/body/use-sideways.ts'
import type { ChildRows } from '#web/table/rows/child-rows.ts'
import type { SelectionState } from '#web/table/rows/selection.ts'
import type { Table } from '#web/table/use-table.ts'

/** The options of a table that do not belong to its state. */
export type GridOptions<Row> = {
  table: Table<Row>
  /** What the table is called, for screen readers. */
  label: string
  /** What is listed, in the plural: 'transactions'. */
  what: string
  /** Why there may be nothing although nothing is filtered, and what to do about it. */
  noRows: ReactNode
  waitingText?: string
  /** Names a row to screen readers; its key if nothing is said. */
  rowName?(row: Row): string
  /** True where a cell has two lines. */
  isTwoLine?: boolean
  /** The page of a row, without the customer: the row opens it. */
  rowHref?(row: Row): string
  /** What unfolds below a row. */
  detail?(row: Row): ReactNode
  childRows?: ChildRows<Row>
  selection?: SelectionState
  /** Rows that cannot be selected have no check box. */
  canSelect?(row: Row): boolean
  rowActions?(row: Row): ReactNode
  /** How wide the actions are, in pixels. */
  actionsWidth?: number
  rowState?(row: Row): RowState
  /** What the last rows say below the columns: one row of totals, or one for each currency. */
  totals?: readonly Totals[]
}

export type GridProps<Row> = GridOptions<Row> & {
  isPhone: boolean
  /** Whether the filters of the columns are below their names. */
  hasFilterRow: boolean
  available: number
  sideways: ReturnType<typeof useSideways>['refs']
  isScrolled: boolean
  /** Below the rows, always in view. */
  children: ReactNode
}
