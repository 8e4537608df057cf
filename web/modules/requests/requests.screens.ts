import { IconHandStop } from '@tabler/icons-react'
import { isCustomerTypeAllowed, isExportApproved } from '#domain/access/can.ts'
import { isStaff, type Standing } from '#domain/access/standing.ts'
import type { Screen } from '#web/lib/address/screen.ts'

const isOpen = (on: Standing) => isExportApproved(on.exportControlStatus) && isCustomerTypeAllowed(on)

export const requestsScreens = [
  {
    path: 'requests',
    title: 'Requests',
    about: 'What people have asked for: licenses, seats and orders',
    synonyms: 'ask approve decline withdraw permission wish',
    icon: IconHandStop,
    group: 'Messages',
    customer: 'needed',
    action: 'requests.read',
    page: () => import('#web/modules/requests/requests.page.tsx'),
  },
  {
    path: 'my-requests',
    title: 'My Requests',
    about: 'Web licenses that you can ask for',
    synonyms: 'ask license',
    icon: IconHandStop,
    group: 'Messages',
    // For web users: those who see no account, and contacts of other accounts. Accounts that are closed show only alerts.
    isInMenu: ({ who, on }) => !isStaff(who) && (!on || isOpen(on)),
    customer: 'ignored',
    page: () => import('#web/modules/requests/own-requests.page.tsx'),
  },
] as const satisfies readonly Screen[]
