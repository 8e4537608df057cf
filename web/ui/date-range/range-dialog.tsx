import '@mantine/dates/styles.layer.css'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Calendar } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { chooseDay, chosenRange, type RangeChoice } from '#domain/calendar/range-choice.ts'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'
import classes from './date-range.module.css'

type Props = {
  /** The account's day: nothing lies after it yet. */
  today: CalendarDay
  onChoose(range: DayRange): void
  onClose(): void
}

/** Two months, in which the first and the last day are clicked. */
export function RangeDialog({ today, onChoose, onClose }: Props) {
  const [choice, setChoice] = useState<RangeChoice>({})
  const range = chosenRange(choice)
  const isPhone = useMediaQuery('(max-width: 36em)')
  return (
    <Modal opened onClose={onClose} title="Custom date range" size="auto" fullScreen={isPhone ?? false}>
      <Stack gap="md">
        <Calendar
          numberOfColumns={2}
          columnsToScroll={1}
          defaultDate={addMonths(today, -1)}
          maxDate={today}
          hideOutsideDates
          weekendDays={[]}
          highlightToday={false}
          classNames={{ levelsGroup: classes.months }}
          getDayProps={(day) => ({
            ...stateOf(choice, day),
            onClick: () => setChoice((now) => chooseDay(now, day)),
            ...(day === today ? { 'data-account-today': true } : {}),
          })}
          ariaLabels={CALENDAR_LABELS}
        />
        <Text size="sm" c="dimmed" role="status">
          {instruction(choice)}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!range}
            onClick={() => {
              if (range) onChoose(range)
              onClose()
            }}
          >
            Okay
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function stateOf({ from, to }: RangeChoice, day: CalendarDay) {
  const isFirst = day === from
  const isLast = day === to
  return {
    selected: isFirst || isLast,
    inRange: from !== undefined && to !== undefined && day >= from && day <= to,
    firstInRange: isFirst && to !== undefined,
    lastInRange: isLast,
    'aria-pressed': isFirst || isLast,
  }
}

function instruction({ from, to }: RangeChoice): string {
  if (!from) return 'Choose the first day.'
  return to ? `From: ${from} To: ${to}` : `From: ${from}. Choose the last day.`
}
