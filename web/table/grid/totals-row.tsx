import type { ReactNode } from 'react'
import { isRightAligned } from '#web/table/columns/column.ts'
import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'
import classes from './grid.module.css'

type Props<Row> = { drawn: readonly DrawnColumn<Row>[]; totals: Readonly<Record<string, ReactNode>> }

/** What the columns add up to, below the rows. */
export function TotalsRow<Row>({ drawn, totals }: Props<Row>) {
  const first = drawn.find((one) => one.column)?.id
  return (
    <div role="row" className={classes.row} data-totals>
      {drawn.map(({ id, column, left, isLastPinned }) => (
        <div
          key={id}
          role="gridcell"
          tabIndex={-1}
          data-cell
          data-col={id}
          data-kind={column?.kind}
          data-right={(column && isRightAligned(column)) || undefined}
          data-pinned={left !== undefined || undefined}
          data-last-pinned={isLastPinned || undefined}
          className={classes.cell}
          style={{ left }}
        >
          {totals[id] ?? (id === first ? 'Total' : '')}
        </div>
      ))}
    </div>
  )
}
