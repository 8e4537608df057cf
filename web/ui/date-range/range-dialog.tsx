import { Modal } from '#web/ui/overlays/modal.tsx'
import '@mantine/dates/styles.layer.css'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
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
  const [typed, setTyped] = useState(current)
  const error = { from: dayError(typed.from, today), to: dayError(typed.to, today) ?? orderError(typed) }
  const isRange = !error.from && !error.to
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
            onChange={(event) => setTyped({ ...typed, from: event.currentTarget.value.trim() })}
          />
          <TextInput
            {...DAY_INPUT}
            label="To"
            value={typed.to}
            error={typed.to && error.to}
            onChange={(event) => setTyped({ ...typed, to: event.currentTarget.value.trim() })}
          />
        </Group>
        <DatePicker
          type="range"
          allowSingleDateInRange
          value={[dayOf(typed.from), dayOf(typed.to)]}
          onChange={([from, to]) => setTyped({ from: from ?? '', to: to ?? '' })}
          numberOfColumns={2}
          columnsToScroll={1}
          defaultDate={addMonths(current.to < today ? current.to : today, -1)}
          maxDate={today}
          hideOutsideDates
          weekendDays={[]}
          highlightToday={false}
          classNames={{ levelsGroup: classes.months }}
          getDayProps={(day) => ({
            'aria-pressed': day === typed.from || day === typed.to,
            ...(day === today ? { 'data-account-today': true } : {}),
          })}
          ariaLabels={CALENDAR_LABELS}
        />
        <Text size="sm" c="dimmed" role="status">
          {instruction(typed)}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!isRange}
            onClick={() => {
              onChoose(typed)
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

const dayOf = (typed: string): CalendarDay | null => (isCalendarDay(typed) ? typed : null)

const DAY_INPUT = { size: 'sm', w: 150, placeholder: 'YYYY-MM-DD', inputMode: 'numeric', autoComplete: 'off' } as const

function dayError(typed: string, today: CalendarDay): string | undefined {
  if (!isCalendarDay(typed)) return 'Enter a date as YYYY-MM-DD.'
  return typed > today ? `The last possible day is ${today}.` : undefined
}

function orderError({ from, to }: { from: string; to: string }): string | undefined {
  return isCalendarDay(from) && from > to ? '"From" must not be after "To".' : undefined
}

function instruction({ from, to }: DayRange): string {
  if (!isCalendarDay(from)) return 'Type or click the first day.'
  return isCalendarDay(to) ? `From: ${from} To: ${to}` : `From: ${from}. Type or click the last day.`
}
