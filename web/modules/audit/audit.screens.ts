import { IconHistory } from '@tabler/icons-react'
import { isStaff } from '#domain/access/standing.ts'
import type { Screen } from '#web/lib/address/screen.ts'

export const auditScreens = [
  {
    path: 'audit',
    title: 'Audit Log',
    about: 'Who did what on the account, and what was refused',
    synonyms: 'history log trail changes who checkpoint tamper compliance security',
    icon: IconHistory,
    group: 'Settings',
    // Without an account, staff see what concerns none.
    isInMenu: ({ who, on }) => on !== undefined || isStaff(who),
    customer: 'welcome',
    action: 'audit.read',
    page: () => import('#web/modules/audit/audit.page.tsx'),
  },
] as const satisfies readonly Screen[]
