import '@mantine/dates/styles.layer.css'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { Calendar } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import { chooseDay, chosenRange, type DayRange, type RangeChoice } from '#domain/calendar/day-range.ts'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'
import classes from './date-range.module.css'

type Props = {
  /** Today in the time zone of the account; later days cannot be chosen. */
  today: CalendarDay
  /** The range in force. */
  range: DayRange
  onChoose(range: DayRange): void
  onClose(): void
}

/** Two typed days, and two months of a calendar in which the same days can be clicked. */
export function RangeDialog({ today, range: current, onChoose, onClose }: Props) {
  const [choice, setChoice] = useState<RangeChoice>(current)
  const [typed, setTyped] = useState({ from: current.from, to: current.to })
  const error = { from: dayError(typed.from, today), to: dayError(typed.to, today) ?? orderError(typed) }
  const range = error.from || error.to ? undefined : chosenRange(choice)
  const type = (days: typeof typed) => {
    setTyped(days)
    setChoice(isCalendarDay(days.from) ? { from: days.from, ...(isCalendarDay(days.to) ? { to: days.to } : {}) } : {})
  }
  const click = (day: CalendarDay) => {
    const next = chooseDay(choice, day)
    setChoice(next)
    setTyped({ from: next.from ?? '', to: next.to ?? '' })
  }
  const isPhone = useMediaQuery('(max-width: 36em)')
  return (
    <Modal opened onClose={onClose} title="Custom date range" size="auto" fullScreen={isPhone ?? false}>
      <Stack gap="md">
        <Group gap="sm" align="flex-start">
          <TextInput
            {...DAY_INPUT}
            label="From"
            data-autofocus
            value={typed.from}
            error={typed.from && error.from}
            onChange={(event) => type({ ...typed, from: event.currentTarget.value.trim() })}
          />
          <TextInput
            {...DAY_INPUT}
            label="To"
            value={typed.to}
            error={typed.to && error.to}
            onChange={(event) => type({ ...typed, to: event.currentTarget.value.trim() })}
          />
        </Group>
        <Calendar
          numberOfColumns={2}
          columnsToScroll={1}
          defaultDate={addMonths(current.to < today ? current.to : today, -1)}
          maxDate={today}
          hideOutsideDates
          weekendDays={[]}
          highlightToday={false}
          classNames={{ levelsGroup: classes.months }}
          getDayProps={(day) => ({
            ...stateOf(choice, day),
            onClick: () => click(day),
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

const DAY_INPUT = { size: 'sm', w: 150, placeholder: 'YYYY-MM-DD', inputMode: 'numeric', autoComplete: 'off' } as const

function dayError(typed: string, today: CalendarDay): string | undefined {
  if (!isCalendarDay(typed)) return 'Enter a date as YYYY-MM-DD.'
  return typed > today ? `The last possible day is ${today}.` : undefined
}

function orderError({ from, to }: { from: string; to: string }): string | undefined {
  return isCalendarDay(from) && from > to ? '"From" must not be after "To".' : undefined
}

function instruction({ from, to }: RangeChoice): string {
  if (!from) return 'Type or click the first day.'
  return to ? `From: ${from} To: ${to}` : `From: ${from}. Type or click the last day.`
}
