import { IconCalendarStats } from '@tabler/icons-react'
import { areActivationsAllowed } from '#domain/access/can.ts'
import type { Screen } from '#web/lib/address/screen.ts'

export const plannerScreens = [
  {
    path: 'planner',
    title: 'Renewal Planner',
    about: 'What to renew: bought, activated and measured seats, and what they cost',
    synonyms: 'renew plan budget forecast what-if denial peak purchase quote',
    icon: IconCalendarStats,
    group: 'Entitlements',
    isInMenu: ({ who, on }) => areActivationsAllowed(who, on),
    customer: 'needed',
    action: 'ssl.read',
    page: () => import('#web/modules/planner/planner.page.tsx'),
  },
] as const satisfies readonly Screen[]
