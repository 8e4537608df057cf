import { SegmentedControl, Stack } from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import type { FilterKind } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { FilterButtons } from '#web/table/filters/filter-buttons.tsx'
import { type FilterWay, WAY_NAMES, wayOf, waysOf } from '#web/table/filters/filter-ways.ts'
import { TypedFilter } from '#web/table/filters/typed-filter.tsx'
import { ValueList } from '#web/table/filters/value-list.tsx'

const RangeForm = lazy(async () => ({ default: (await import('#web/table/filters/range-form.tsx')).RangeForm }))

type Props = FilterCellProps & {
  kind: FilterKind
  /** With which of its ways it opens; that of the filter in force if nothing is said. */
  way: FilterWay | undefined
  onCancel(): void
  onClose(): void
}

/** Everything by which a column can be filtered. What is typed narrows the rows at once. */
export function FilterForm({ kind, way: first, onCancel, onClose, ...cell }: Props) {
  const { filter, onChange } = cell
  const ways = waysOf(kind)
  const [way, setWay] = useState(first ?? wayOf(kind, filter))
  const choose = (next: FilterWay) => {
    setWay(next)
    const isMethod = next === 'contains' || next === 'equals'
    if (isMethod && kind.kind === 'text' && filter?.filterType === 'text') onChange({ ...filter, type: next })
  }
  const apply = (to: Parameters<typeof onChange>[0]) => {
    onChange(to)
    onClose()
  }
  const submit = (event: FormEvent<HTMLElement>) => {
    event.preventDefault()
    if (!event.currentTarget.querySelector('[aria-invalid]')) onClose()
  }
  const chosen = { column: cell.column, onApply: apply, onCancel }
  return (
    <Stack gap="sm">
      {ways.length > 1 && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={`How to filter ${cell.column.header}`}
          data={ways.map((one) => ({ value: one, label: WAY_NAMES[one] }))}
          value={way}
          onChange={(next) => choose(next as FilterWay)}
        />
      )}
      {way === 'values' ? (
        <ValueList {...chosen} chosen={filter?.filterType === 'set' ? filter : undefined} />
      ) : way === 'range' ? (
        <Suspense>
          <RangeForm
            {...chosen}
            kind={kind.kind === 'time' ? 'time' : 'day'}
            range={filter?.filterType === 'date' && filter.type === 'inRange' ? filter : undefined}
          />
        </Suspense>
      ) : (
        <Stack gap="sm" component="form" onSubmit={submit}>
          <TypedFilter {...cell} kind={kind} way={way} isFirst />
          <FilterButtons onClear={() => apply(undefined)} onCancel={onCancel} />
        </Stack>
      )}
    </Stack>
  )
}
