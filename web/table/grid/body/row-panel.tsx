import type { ReactNode } from 'react'
import classes from '#web/table/grid/grid.module.css'

/** What is unfolded below a row: as wide as the window into the table, however wide the table is. */
export function RowPanel({ colSpan, children }: { colSpan: number; children: ReactNode }) {
  return (
    <div role="row" className={classes.panelRow}>
      <div role="gridcell" aria-colspan={colSpan} className={classes.panel} data-panel>
        {children}
      </div>
    </div>
  )
}
