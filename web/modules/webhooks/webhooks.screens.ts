import { IconWebhook } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const webhooksScreens = [
  {
    path: 'webhooks',
    title: 'Webhooks',
    about: 'Endpoints of yours that receive what happens, and what was delivered to them',
    synonyms: 'event callback endpoint url integration notify delivery signature',
    icon: IconWebhook,
    group: 'Settings',
    customer: 'needed',
    action: 'webhooks.manage',
    page: () => import('#web/modules/webhooks/webhooks.page.tsx'),
  },
] as const satisfies readonly Screen[]
