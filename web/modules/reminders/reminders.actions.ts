import { NO_REMINDERS, reminderErrors } from '#domain/reminders/reminders.ts'
import type { Action } from '#web/lib/action.ts'

export const remindersActions = [
  {
    label: 'New reminder',
    verbs: 'remind reminder new',
    words: 'add notify notification alert warn expire email days before',
    screen: 'reminders',
    right: 'reminders.write',
    asks: {
      text: 'How many days before licenses end?',
      example: '30',
      error: (days) => reminderErrors({ ...NO_REMINDERS, leadDays: [Number(days)] }).leadDays,
      opens: (add) => ({ to: `/reminders?${new URLSearchParams({ add })}` }),
    },
  },
] as const satisfies readonly Action[]
