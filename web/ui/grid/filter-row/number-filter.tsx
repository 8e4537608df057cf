import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import { TypedField } from '#web/ui/grid/filter-row/typed-field.tsx'
import { readShownNumber } from '#web/ui/grid/model/shown-number.ts'

/** Numbers are filtered by equality only. */
export function NumberFilter({ column, filter, onChange }: FilterCellProps) {
  return (
    <TypedField
      label={`${column.header} equals`}
      placeholder=""
      sign="="
      inputMode="decimal"
      value={filter?.filterType === 'number' ? String(filter.filter) : ''}
      problemOf={(text) => (text.trim() === '' || readShownNumber(text) !== undefined ? undefined : 'Enter a number')}
      onCommit={(text) => {
        const number = readShownNumber(text)
        onChange(number === undefined ? undefined : { filterType: 'number', type: 'equals', filter: number })
      }}
    />
  )
}
