import { type Column, filterOf } from '#web/table/columns/column.ts'
import { useFilterRow } from '#web/table/filters/filter-row.ts'
import { NumberFilter } from '#web/table/filters/number-filter.tsx'
import { TextFilter } from '#web/table/filters/text-filter.tsx'
import { DayFilter, TimeFilter } from '#web/table/filters/time-filter.tsx'

/** The filter of a column, if it has one. */
export function FilterCell({ column }: { column: Column<never> }) {
  const { filters, setFilter } = useFilterRow()
  const kind = filterOf(column)
  if (!kind || column.isFilteredAbove) return null
  const common = {
    column,
    filter: filters[column.id],
    onChange: (filter: Parameters<typeof setFilter>[1]) => setFilter(column.id, filter),
  }
  switch (kind.kind) {
    case 'text':
      return <TextFilter {...common} kind={kind} />
    case 'number':
      return <NumberFilter {...common} />
    case 'time':
      return <TimeFilter {...common} />
    case 'day':
      return <DayFilter {...common} phrase={kind.phrase} words={kind.words} />
  }
}
