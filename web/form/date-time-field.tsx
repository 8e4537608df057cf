import '@mantine/dates/styles.layer.css'
import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker, TimeInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useState } from 'react'
import { isInstant, readTime } from '#web/form/typed-instant.ts'
import { minuteText } from '#web/lib/format.ts'
import { CALENDAR_LABELS } from '#web/ui/date-range/calendar-labels.ts'

type Props = Pick<
  TextInputProps,
  'label' | 'required' | 'error' | 'disabled' | 'description' | 'onFocus' | 'onBlur'
> & {
  /** An instant (ISO 8601), the text of an invalid time, or nothing. */
  value: string | null
  /** Called with an instant, with the typed text if it is no time, or with null. */
  onChange(value: string | null): void
  placeholder?: string
}

/** A date and time in the reader's zone, typed or picked. */
export function DateTimeField({ value, onChange, onBlur, placeholder = 'YYYY-MM-DD HH:mm', ...input }: Props) {
  const [typed, setTyped] = useState<string>()
  const isValid = value !== null && isInstant(value)
  const [day, time] = isValid ? dayjs(value).format('YYYY-MM-DD HH:mm').split(' ') : [null, '']
  const pick = (nextDay: string | null | undefined, nextTime: string | undefined) => {
    setTyped(undefined)
    if (nextDay) onChange(dayjs(`${nextDay} ${nextTime || '00:00'}`).toISOString())
  }
  return (
    <TextInput
      {...input}
      placeholder={placeholder}
      autoComplete="off"
      value={typed ?? (isValid ? minuteText(value) : (value ?? ''))}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(readTime(event.currentTarget.value))
      }}
      onBlur={(event) => {
        setTyped(undefined)
        onBlur?.(event)
      }}
      rightSection={
        <Popover position="bottom-end" trapFocus withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={input.disabled ?? false}
              aria-label={`Pick ${typeof input.label === 'string' ? input.label.toLowerCase() : 'a time'}`}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DatePicker
              value={day ?? null}
              weekendDays={[]}
              onChange={(next) => pick(next, time)}
              ariaLabels={CALENDAR_LABELS}
              {...(day ? { defaultDate: day } : {})}
            />
            <TimeInput
              mt="xs"
              label="Time"
              value={time ?? ''}
              disabled={!day}
              onChange={(event) => pick(day, event.currentTarget.value)}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
