import { type MouseEvent, memo } from 'react'
import { drawCell } from '#web/table/grid/body/body-cell.tsx'
import { handleRowClick } from '#web/table/grid/body/row-click.ts'
import { RowPanel } from '#web/table/grid/body/row-panel.tsx'
import type { BodyRowProps } from '#web/table/grid/body/row-props.ts'
import classes from '#web/table/grid/grid.module.css'

function BodyRowOf<Row>(props: BodyRowProps<Row>) {
  const { row, rowKey, index, headRows, drawn, behavior, isSelected, isExpanded, canExpand, depth, children } = props
  const state = behavior.rowState?.(row)
  const isActive = behavior.rowHref !== undefined || (canExpand && behavior.detail !== undefined)
  const click = (event: MouseEvent) => handleRowClick(event, props)
  return (
    <>
      <div
        role="row"
        className={classes.row}
        aria-rowindex={headRows + index + 1}
        aria-selected={isSelected || undefined}
        aria-level={behavior.isTree ? depth + 1 : undefined}
        aria-expanded={behavior.isTree && canExpand ? isExpanded : undefined}
        data-row={rowKey}
        data-index={index}
        data-active={isActive || undefined}
        data-open={(isExpanded && behavior.detail !== undefined) || undefined}
        data-state={state}
        onClick={click}
        onAuxClick={click}
      >
        {drawn.map((one) => drawCell(one, props))}
      </div>
      {isExpanded && behavior.detail && (
        <RowPanel key={rowKey} colSpan={drawn.length}>
          {behavior.detail(row)}
        </RowPanel>
      )}
      {children}
    </>
  )
}

/** One row of a table and, below it, what was unfolded. */
export const BodyRow = memo(BodyRowOf) as typeof BodyRowOf
