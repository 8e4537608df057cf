import { IconArrowsExchange, IconChartBar, IconUsersGroup } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

const assignments = () => import('#web/modules/web-licenses/assignments/assignments.page.tsx')

export const webLicensesScreens = [
  {
    path: 'f1202990',
    title: 'Assignments',
    about: 'Web licenses by groups, users and entitlements',
    synonyms: 'seat named user shared people',
    icon: IconUsersGroup,
    group: 'Web',
    variant: { flag: 'f1202990', when: 'chosen' },
    customer: 'needed',
    action: 'web-licenses.read',
    page: async () => ({ Page: (await assignments()).GroupsPage }),
  },
  {
    path: 'web-assignments',
    title: 'Assignments',
    about: 'Users, groups and who can use shared web and named user licenses',
    synonyms: 'seat named user shared group people',
    icon: IconUsersGroup,
    group: 'Web',
    variant: { flag: 'f1202990', when: 'not chosen' },
    customer: 'needed',
    action: 'web-licenses.read',
    page: async () => ({ Page: (await assignments()).AssignmentsPage }),
  },
  {
    path: 'web-transactions',
    title: 'Web Transactions',
    about: 'Checkouts of web licenses',
    synonyms: 'session checkout usage log',
    icon: IconArrowsExchange,
    group: 'Web',
    customer: 'needed',
    action: 'web-licenses.read',
    page: () => import('#web/modules/web-licenses/checkouts/web-transactions.page.tsx'),
  },
  {
    path: 'web-reporting',
    title: 'Reporting',
    about: 'Peak use, use per product and user, denials',
    synonyms: 'denied refused refusals rejected peak usage',
    icon: IconChartBar,
    group: 'Web',
    customer: 'needed',
    action: 'web-licenses.read',
    page: () => import('#web/modules/web-licenses/checkouts/web-reporting.page.tsx'),
  },
] as const satisfies readonly Screen[]
