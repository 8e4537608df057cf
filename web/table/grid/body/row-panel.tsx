import type { ReactNode } from 'react'
import classes from '#web/table/grid/grid.module.css'

/** The panel below an unfolded row: as wide as the visible part of the table. */
export function RowPanel({ colSpan, children }: { colSpan: number; children: ReactNode }) {
  return (
    <div role="row" className={classes.panelRow}>
      <div role="gridcell" aria-colspan={colSpan} className={classes.panel} data-panel>
        {children}
      </div>
    </div>
  )
}
