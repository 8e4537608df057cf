import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HomeMatter } from '#contract/home/account-home.ts'
import { addDays, type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { dayText } from '#web/app/home/matter-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import classes from './work-list.module.css'

type Hide = { key: string; until?: CalendarDay }

export function useHide() {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: ['home'] })
  const { save: show } = useSave({
    send: (key: string, idempotencyKey) => call('home/show', { body: { customerNumber: number, key }, idempotencyKey }),
    success: () => undefined,
    onSaved: reload,
  })
  const { save: hide } = useSave({
    send: (input: Hide, idempotencyKey) =>
      call('home/hide', { body: { customerNumber: number, ...input }, idempotencyKey }).then(() => input),
    success: ({ until }) => (until ? `Snoozed until ${dayText(until)}.` : 'Marked as done.'),
    onSaved: reload,
    undo: (_, { key }) => show(key),
  })
  return { hide, show }
}

export function HideMenu({ matter: { key }, text, today }: { matter: HomeMatter; text: string; today: CalendarDay }) {
  const { hide } = useHide()
  const [isAsking, setIsAsking] = useState(false)
  const days = [
    ['Snooze until tomorrow', 1],
    ['Snooze for a week', 7],
    ['Snooze for a month', 30],
  ] as const
  return (
    <>
      <Menu
        position="bottom-end"
        withinPortal
        button={
          <ActionIcon variant="subtle" color="gray" className={classes.hide} aria-label={`Hide: ${text}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item onClick={() => hide({ key })}>Mark as done</Menu.Item>
        {days.map(([label, count]) => (
          <Menu.Item key={label} onClick={() => hide({ key, until: addDays(today, count) })}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => setIsAsking(true)}>Snooze until…</Menu.Item>
      </Menu>
      {isAsking && (
        <PutOffDialog
          text={text}
          today={today}
          onClose={() => setIsAsking(false)}
          onChoose={(until) => {
            setIsAsking(false)
            hide({ key, until })
          }}
        />
      )}
    </>
  )
}

type PutOffProps = { text: string; today: CalendarDay; onClose(): void; onChoose(until: CalendarDay): void }

function PutOffDialog({ text, today, onClose, onChoose }: PutOffProps) {
  const [day, setDay] = useState(addDays(today, 7))
  const isLater = isCalendarDay(day) && day > today
  return (
    <Dialog onClose={onClose} title="Snooze">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isLater) onChoose(day)
        }}
      >
        <TextInput
          type="date"
          label={`${text}: show it again on`}
          min={addDays(today, 1)}
          value={day}
          error={isLater ? undefined : 'Choose a day after today.'}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setDay(value)}
        />
        <Button type="submit" mt="md" disabled={!isLater}>
          Snooze
        </Button>
      </form>
    </Dialog>
  )
}
