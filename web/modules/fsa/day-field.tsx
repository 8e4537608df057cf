import '@mantine/dates/styles.layer.css'
import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'

type Props = {
  label: string
  value: CalendarDay
  min: CalendarDay
  max: CalendarDay
  disabled: boolean
  isInvalid: boolean
  describedBy: string
  onChange(day: CalendarDay): void
}

/** A calendar day, typed or picked. What is typed counts when it is a day, or when the field is left. */
export function DayField({ label, value, min, max, disabled, isInvalid, describedBy, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  const [isOpen, setIsOpen] = useState(false)
  const commit = () => {
    if (typed !== undefined && typed !== value) onChange(typed.trim())
    setTyped(undefined)
  }
  return (
    <TextInput
      aria-label={label}
      aria-describedby={isInvalid ? describedBy : undefined}
      placeholder="YYYY-MM-DD"
      autoComplete="off"
      value={typed ?? value}
      error={isInvalid}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value
        setTyped(text)
        if (isCalendarDay(text)) onChange(text)
      }}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      rightSection={
        <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={disabled}
              aria-label={`Pick ${label}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DatePicker
              value={isCalendarDay(value) ? value : null}
              defaultDate={isCalendarDay(value) ? value : min}
              minDate={min}
              maxDate={max}
              weekendDays={[]}
              ariaLabels={CALENDAR_LABELS}
              onChange={(day) => {
                setTyped(undefined)
                setIsOpen(false)
                if (day) onChange(day)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
