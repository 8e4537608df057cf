import '@mantine/dates/styles.layer.css'
import { Stack } from '@mantine/core'
import { DateInput, type DateInputProps, DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import dayjs from 'dayjs'
import { type FormEvent, useId, useState } from 'react'
import { TIME_FORMAT } from '#web/lib/format.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { FilterButtons } from '#web/table/filters/filter-buttons.tsx'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'

const WHOLE_SECOND = 999
const DAY_FORMAT = 'YYYY-MM-DD'

const COMMON = {
  clearable: true,
  hideOutsideDates: true,
  // Red has another meaning here.
  weekendDays: [],
  ariaLabels: CALENDAR_LABELS,
  clearButtonProps: { 'aria-label': 'Clear' },
} satisfies Partial<DateInputProps>

const TIME: Partial<DateTimePickerProps> = {
  ...COMMON,
  withSeconds: true,
  valueFormat: TIME_FORMAT,
  placeholder: TIME_FORMAT,
  timePickerProps: { hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes', secondsInputLabel: 'Seconds' },
  submitButtonProps: { 'aria-label': 'Use this time' },
}

type Range = { dateFrom: string | null; dateTo: string | null }
type Props = {
  column: FilterCellProps['column']
  kind: 'time' | 'day'
  range: Range | undefined
  onApply(filter: ColumnFilter | undefined): void
  onCancel(): void
}

/** From one second or day to another, both included; either end may stay open. */
export function RangeForm({ kind, range, onApply, onCancel }: Props) {
  const id = useId()
  const shown = kind === 'time' ? wallTime : (day: string | null | undefined) => day ?? null
  const [from, setFrom] = useState(shown(range?.dateFrom))
  const [to, setTo] = useState(shown(range?.dateTo))
  const problem = from && to && from > to ? '"From" must be before "To".' : undefined
  const canApply = (from || to) && problem === undefined
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (canApply) onApply({ filterType: 'date', type: 'inRange', ...ends() })
  }
  const field = (name: 'From' | 'To', value: string | null, onChange: (value: string | null) => void) => {
    const error = name === 'To' ? problem : undefined
    const common = { ...named(id, name), label: name, value, onChange, error, 'data-autofocus': name === 'From' }
    return kind === 'time' ? (
      <DateTimePicker {...TIME} {...common} />
    ) : (
      <DateInput {...COMMON} {...common} valueFormat={DAY_FORMAT} placeholder={DAY_FORMAT} />
    )
  }
  const ends = () =>
    kind === 'time'
      ? {
          dateFrom: from && dayjs(from).toISOString(),
          dateTo: to && dayjs(to).add(WHOLE_SECOND, 'ms').toISOString(),
        }
      : { dateFrom: from, dateTo: to }
  return (
    <Stack gap="sm" component="form" onSubmit={apply}>
      {field('From', from, setFrom)}
      {field('To', to, setTo)}
      <FilterButtons onClear={() => onApply(undefined)} onCancel={onCancel} canApply={Boolean(canApply)} />
    </Stack>
  )
}

/** Labels the dropdown like its field. The library does not connect the two. */
function named(dialog: string, field: string) {
  const id = `${dialog}-${field}`
  // Inside of the popover of the filter, which would take a click outside as the end.
  return { id, popoverProps: { id, withinPortal: false } }
}

/** The reader's wall-clock time, in the format of the picker. */
function wallTime(instant: string | null | undefined): string | null {
  return instant ? dayjs(instant).format(TIME_FORMAT) : null
}
