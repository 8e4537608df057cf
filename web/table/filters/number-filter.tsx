import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { TypedField } from '#web/table/filters/typed-field.tsx'
import { formatNumberFilter, readTypedNumber } from '#web/table/filters/typed-number.ts'

const HINT = 'Enter a number such as 1.14, > 5, ≤ 30 or 10 – 30'

/** Numbers are compared; without a sign they have to be equal. */
export function NumberFilter({ column, filter, onChange }: FilterCellProps) {
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
