import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { moveColumn, nextSorting } from '#web/ui/collapsible/arrange-columns.ts'
import { ResizeHandle } from '#web/ui/collapsible/resize-handle.tsx'
import type { ColumnWidths } from '#web/ui/collapsible/use-column-widths.ts'
import { ColumnFilter } from '#web/ui/grid/filter-row/column-filter.tsx'
import type { Column } from '#web/ui/grid/model/column.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'
import classes from './collapsible-table.module.css'

type Props = {
  columns: readonly Column<never>[]
  /** How far from the left each column stays that stays in sight. */
  stickyAt: ReadonlyMap<string, number>
  widths: ColumnWidths
  view: TableView
  setView(change: (view: TableView) => TableView): void
}

const KEYBOARD_STEP = 10
const SHORTCUTS = 'Shift+ArrowLeft Shift+ArrowRight Alt+ArrowLeft Alt+ArrowRight'

/** Names of the columns, by which they are sorted, moved and made wider, and below them their filters. */
export function TableHead({ columns, stickyAt, widths, view, setView }: Props) {
  const [dragged, setDragged] = useState<string>()
  const move = (id: string, to: string | undefined) => {
    if (to !== undefined && stickyAt.has(id) === stickyAt.has(to))
      setView((now) => ({ ...now, order: moveColumn(now.order, id, to) }))
  }
  const drop = (id: string) => {
    if (dragged) move(dragged, id)
    setDragged(undefined)
  }
  const sortBy = (id: string, event: MouseEvent) => {
    const isFurther = event.shiftKey
    setView((now) => ({ ...now, sorting: nextSorting(now.sorting, id, isFurther) }))
  }
  // The keys of the grid: Shift moves a column, Alt makes it wider or narrower.
  const arrange = (column: Column<never>, event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 || event.shiftKey === event.altKey) return
    event.preventDefault()
    const { target } = event
    if (event.altKey) return widths.resize(column, widths.widthOf(column) + step * KEYBOARD_STEP)
    flushSync(() => move(column.id, columns[columns.indexOf(column) + step]?.id))
    // What is put elsewhere loses the focus.
    if (target instanceof HTMLElement) target.focus()
  }
  const stickiness = (column: Column<never>) => ({
    'data-sticky': stickyAt.has(column.id) || undefined,
    style: { left: stickyAt.get(column.id) },
  })
  const corner = <td className={classes.toggleCell} data-sticky={stickyAt.size > 0 || undefined} />
  return (
    <thead className={classes.head}>
      <tr>
        {corner}
        {columns.map((column) => {
          const direction = view.sorting.find((one) => one.column === column.id)?.direction
          return (
            <th
              key={column.id}
              scope="col"
              className={classes.name}
              data-align={column.align}
              {...stickiness(column)}
              aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
              draggable
              onDragStart={() => setDragged(column.id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(column.id)}
              onKeyDown={(event) => arrange(column, event)}
            >
              {column.isSortable === false ? (
                column.header
              ) : (
                <button
                  type="button"
                  className={classes.sort}
                  aria-keyshortcuts={SHORTCUTS}
                  onClick={(event) => sortBy(column.id, event)}
                >
                  {column.header}
                  {direction === 'asc' && <IconArrowUp size={14} aria-hidden />}
                  {direction === 'desc' && <IconArrowDown size={14} aria-hidden />}
                </button>
              )}
              <ResizeHandle
                width={widths.widthOf(column)}
                onDrag={(width) => widths.drag(column, width)}
                onDrop={(width) => widths.resize(column, width)}
                onDoubleClick={() => widths.release(column)}
              />
            </th>
          )
        })}
      </tr>
      <tr>
        {corner}
        {columns.map((column) => (
          <td key={column.id} className={classes.filter} {...stickiness(column)}>
            <ColumnFilter column={column} />
          </td>
        ))}
      </tr>
    </thead>
  )
}
