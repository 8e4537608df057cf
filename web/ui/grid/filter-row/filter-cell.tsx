import type { CustomFloatingFilterProps } from 'ag-grid-react'
import { useFilterRow } from '#web/ui/grid/filter-row/filter-row.ts'
import { NumberFilter } from '#web/ui/grid/filter-row/number-filter.tsx'
import { TextFilter } from '#web/ui/grid/filter-row/text-filter.tsx'
import { TimeFilter } from '#web/ui/grid/filter-row/time-filter.tsx'

/** One cell of the filter row. The library only gives it its place. */
export function FilterCell({ column: place }: Pick<CustomFloatingFilterProps, 'column'>) {
  const { columns, filters, setFilter } = useFilterRow()
  const column = columns.find((one) => one.id === place.getColId())
  if (!column?.filter) return null
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
