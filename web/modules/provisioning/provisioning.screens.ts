import { IconUsersPlus } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const provisioningScreens = [
  {
    path: 'provisioning',
    title: 'Provisioning',
    about: 'People and groups that your identity provider sends by SCIM, and what groups give',
    synonyms: 'scim entra azure okta identity provider sync leaver joiner directory users groups mapping',
    icon: IconUsersPlus,
    group: 'Settings',
    customer: 'needed',
    action: 'provisioning.manage',
    page: () => import('#web/modules/provisioning/provisioning.page.tsx'),
  },
] as const satisfies readonly Screen[]
