import { type Column, filterOf } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { useFilterRow } from '#web/table/filters/filter-row.ts'
import { TextFilter } from '#web/table/filters/text-filter.tsx'
import { DayFilter, TimeFilter } from '#web/table/filters/time-filter.tsx'
import { TypedField } from '#web/table/filters/typed-field.tsx'
import { formatNumberFilter, readTypedNumber } from '#web/table/filters/typed-number.ts'

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

const HINT = 'Enter a number such as 1.14, > 5, ≤ 30 or 10 – 30'

/** Numbers are compared; without a sign they have to be equal. */
function NumberFilter({ column, filter, onChange }: FilterCellProps) {
  return (
    <TypedField
      label={`${column.header} equals`}
      placeholder="="
      inputMode="text"
      value={filter?.filterType === 'number' ? formatNumberFilter(filter) : ''}
      problemOf={(text) => (text.trim() === '' || readTypedNumber(text) ? undefined : HINT)}
      onCommit={(text) => onChange(readTypedNumber(text))}
    />
  )
}
