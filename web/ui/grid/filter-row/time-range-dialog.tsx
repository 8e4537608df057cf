import '@mantine/dates/styles.layer.css'
import { Button, Group, Modal, Stack } from '@mantine/core'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import dayjs from 'dayjs'
import { useId, useState } from 'react'
import { TIME_FORMAT } from '#web/lib/time-text.ts'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'
import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import type { ColumnFilter } from '#web/ui/grid/model/column-filter.ts'

const WHOLE_SECOND = 999

const PICKER: Partial<DateTimePickerProps> = {
  withSeconds: true,
  clearable: true,
  valueFormat: TIME_FORMAT,
  placeholder: TIME_FORMAT,
  hideOutsideDates: true,
  // Red has another meaning here.
  weekendDays: [],
  ariaLabels: CALENDAR_LABELS,
  timePickerProps: { hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes', secondsInputLabel: 'Seconds' },
  submitButtonProps: { 'aria-label': 'Take this time' },
  clearButtonProps: { 'aria-label': 'Clear' },
}

type Range = { dateFrom: string | null; dateTo: string | null }
type Props = {
  column: FilterCellProps['column']
  range: Range | undefined
  onApply(filter: ColumnFilter | undefined): void
  onClose(): void
}

/** From one second to another, both included; either end may stay open. */
export function TimeRangeDialog({ column, range, onApply, onClose }: Props) {
  const id = useId()
  const [from, setFrom] = useState(wallTime(range?.dateFrom))
  const [to, setTo] = useState(wallTime(range?.dateTo))
  const problem = from && to && from > to ? 'The end lies before the start.' : undefined
  const apply = (filter: ColumnFilter | undefined) => {
    onApply(filter)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Filter by ${column.header}`} size="sm">
      <Stack gap="md">
        <DateTimePicker
          {...PICKER}
          {...named(id, 'from')}
          data-autofocus
          label="From"
          value={from}
          onChange={setFrom}
        />
        <DateTimePicker {...PICKER} {...named(id, 'to')} label="To" value={to} onChange={setTo} error={problem} />
        <Group justify="space-between">
          <Button variant="default" onClick={() => apply(undefined)}>
            Clear
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              disabled={(!from && !to) || problem !== undefined}
              onClick={() =>
                apply({
                  filterType: 'date',
                  type: 'inRange',
                  dateFrom: from && dayjs(from).toISOString(),
                  dateTo: to && dayjs(to).add(WHOLE_SECOND, 'ms').toISOString(),
                })
              }
            >
              Apply
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}

/** What drops down is called as its field is; the library forgets to give both the same id. */
function named(dialog: string, field: string): Partial<DateTimePickerProps> {
  const id = `${dialog}-${field}`
  return { id, popoverProps: { id } }
}

/** As the picker wants it: wall-clock time of the reader. */
function wallTime(instant: string | null | undefined): string | null {
  return instant ? dayjs(instant).format(TIME_FORMAT) : null
}
