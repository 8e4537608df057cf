import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { moveColumn, nextSorting } from '#web/ui/collapsible/arrange-columns.ts'
import { useFilterRow } from '#web/ui/grid/filter-row/filter-row.ts'
import { NumberFilter } from '#web/ui/grid/filter-row/number-filter.tsx'
import { TextFilter } from '#web/ui/grid/filter-row/text-filter.tsx'
import { TimeFilter } from '#web/ui/grid/filter-row/time-filter.tsx'
import type { Column } from '#web/ui/grid/model/column.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'
import classes from './collapsible-table.module.css'

type Props = {
  columns: readonly Column<never>[]
  view: TableView
  setView(change: (view: TableView) => TableView): void
}

/** Names of the columns, by which they are sorted and moved, and below them their filters. */
export function TableHead({ columns, view, setView }: Props) {
  const [dragged, setDragged] = useState<string>()
  const drop = (id: string) => {
    if (dragged) setView((now) => ({ ...now, order: moveColumn(now.order, dragged, id) }))
    setDragged(undefined)
  }
  const sortBy = (id: string, event: MouseEvent) => {
    const isFurther = event.shiftKey
    setView((now) => ({ ...now, sorting: nextSorting(now.sorting, id, isFurther) }))
  }
  return (
    <thead className={classes.head}>
      <tr>
        <td className={classes.toggleCell} />
        {columns.map((column) => {
          const direction = view.sorting.find((one) => one.column === column.id)?.direction
          return (
            <th
              key={column.id}
              scope="col"
              className={classes.name}
              data-align={column.align}
              aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
              draggable
              onDragStart={() => setDragged(column.id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(column.id)}
            >
              {column.isSortable === false ? (
                column.header
              ) : (
                <button type="button" className={classes.sort} onClick={(event) => sortBy(column.id, event)}>
                  {column.header}
                  {direction === 'asc' && <IconArrowUp size={14} aria-hidden />}
                  {direction === 'desc' && <IconArrowDown size={14} aria-hidden />}
                </button>
              )}
            </th>
          )
        })}
      </tr>
      <tr>
        <td className={classes.toggleCell} />
        {columns.map((column) => (
          <td key={column.id} className={classes.filter}>
            <ColumnFilter column={column} />
          </td>
        ))}
      </tr>
    </thead>
  )
}

function ColumnFilter({ column }: { column: Column<never> }) {
  const { filters, setFilter } = useFilterRow()
  if (!column.filter) return null
  const common = {
    column,
    filter: filters[column.id],
    onChange: (filter: Parameters<typeof setFilter>[1]) => setFilter(column.id, filter),
  }
  switch (column.filter.kind) {
    case 'text':
      return <TextFilter {...common} kind={column.filter} />
    case 'number':
      return <NumberFilter {...common} />
    case 'time':
      return <TimeFilter {...common} />
  }
}
