import type { CustomFloatingFilterProps } from 'ag-grid-react'
import { ColumnFilter } from '#web/ui/grid/filter-row/column-filter.tsx'
import { useFilterRow } from '#web/ui/grid/filter-row/filter-row.ts'

/** One cell of the filter row. The library only gives it its place. */
export function FilterCell({ column: place }: Pick<CustomFloatingFilterProps, 'column'>) {
  const { columns } = useFilterRow()
  const column = columns.find((one) => one.id === place.getColId())
  return column ? <ColumnFilter column={column} /> : null
}
