import { IconActivityHeartbeat } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const upkeepScreens = [
  {
    path: 'operations',
    title: 'Operations',
    about: 'Backups, messages, tasks, usage and processes of the whole installation',
    synonyms: 'backup restore drill recovery outbox resend unlock pin health monitoring process version',
    icon: IconActivityHeartbeat,
    group: 'Administration',
    customer: 'ignored',
    portalAction: 'upkeep.read',
    page: () => import('#web/modules/upkeep/operations.page.tsx'),
  },
] as const satisfies readonly Screen[]
