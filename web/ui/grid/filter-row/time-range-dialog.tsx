import '@mantine/dates/styles.layer.css'
import { Button, Group, Modal, Stack } from '@mantine/core'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import dayjs from 'dayjs'
import { useState } from 'react'
import { TIME_FORMAT } from '#web/lib/time-text.ts'
import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import type { ColumnFilter } from '#web/ui/grid/model/column-filter.ts'

const WHOLE_SECOND = 999

type Range = { dateFrom: string | null; dateTo: string | null }
type Props = {
  column: FilterCellProps['column']
  range: Range | undefined
  onApply(filter: ColumnFilter | undefined): void
  onClose(): void
}

/** From one second to another, both included; either end may stay open. */
export function TimeRangeDialog({ column, range, onApply, onClose }: Props) {
  const [from, setFrom] = useState(wallTime(range?.dateFrom))
  const [to, setTo] = useState(wallTime(range?.dateTo))
  const problem = from && to && from > to ? 'The end lies before the start.' : undefined
  const apply = (filter: ColumnFilter | undefined) => {
    onApply(filter)
    onClose()
  }
  const common: Partial<DateTimePickerProps> = {
    withSeconds: true,
    valueFormat: TIME_FORMAT,
    clearable: true,
    placeholder: TIME_FORMAT,
    weekendDays: [],
  } as const
  return (
    <Modal opened onClose={onClose} title={`Filter by ${column.header}`} size="sm">
      <Stack gap="md">
        <DateTimePicker {...common} data-autofocus label="From" value={from} onChange={setFrom} />
        <DateTimePicker {...common} label="To" value={to} onChange={setTo} error={problem} />
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

/** As the picker wants it: wall-clock time of the reader. */
function wallTime(instant: string | null | undefined): string | null {
  return instant ? dayjs(instant).format(TIME_FORMAT) : null
}
