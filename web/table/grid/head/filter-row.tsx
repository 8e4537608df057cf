import { memo } from 'react'
import { FilterCell } from '#web/table/filters/filter-cell.tsx'
import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'
import classes from '#web/table/grid/grid.module.css'

/** The filters below the names of the columns. */
export const FilterRow = memo(function FilterRow({ drawn }: { drawn: readonly DrawnColumn<never>[] }) {
  return (
    <div role="row" className={classes.row} data-filters aria-rowindex={2}>
      {drawn.map(({ id, column, left, style, isLastPinned }) => (
        <div
          key={id}
          role="gridcell"
          tabIndex={-1}
          data-cell
          data-filter-cell
          data-col={id}
          data-pinned={left !== undefined || undefined}
          data-last-pinned={isLastPinned || undefined}
          className={classes.filterCell}
          style={style}
        >
          {column && <FilterCell column={column} />}
        </div>
      ))}
    </div>
  )
})
