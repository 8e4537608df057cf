import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import { TypedField } from '#web/ui/grid/filter-row/typed-field.tsx'

/** Numbers are filtered by equality only. */
export function NumberFilter({ column, filter, onChange }: FilterCellProps) {
  return (
    <TypedField
      label={`${column.header} equals`}
      placeholder=""
      sign="="
      inputMode="decimal"
      value={filter?.filterType === 'number' ? String(filter.filter) : ''}
      problemOf={(text) => (text.trim() === '' || readNumber(text) !== undefined ? undefined : 'Enter a number')}
      onCommit={(text) => {
        const number = readNumber(text)
        onChange(number === undefined ? undefined : { filterType: 'number', type: 'equals', filter: number })
      }}
    />
  )
}

/** As numbers are shown, thousands separators included. */
function readNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
