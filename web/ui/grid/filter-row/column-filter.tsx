import { useFilterRow } from '#web/ui/grid/filter-row/filter-row.ts'
import { NumberFilter } from '#web/ui/grid/filter-row/number-filter.tsx'
import { TextFilter } from '#web/ui/grid/filter-row/text-filter.tsx'
import { TimeFilter } from '#web/ui/grid/filter-row/time-filter.tsx'
import type { Column } from '#web/ui/grid/model/column.ts'

/** What a column is filtered by, if it is: the same below the head of every table. */
export function ColumnFilter({ column }: { column: Column<never> }) {
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
