import { IconBellCog } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const remindersScreens = [
  {
    path: 'reminders',
    title: 'Reminders',
    about: 'Emails before licenses end or balances run low, and a calendar of end dates',
    synonyms: 'notification threshold budget ics',
    icon: IconBellCog,
    group: 'Settings',
    customer: 'needed',
    action: 'reminders.read',
    page: () => import('#web/modules/reminders/reminders.page.tsx'),
  },
] as const satisfies readonly Screen[]
