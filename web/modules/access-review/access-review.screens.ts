import { IconUserCheck } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const accessReviewScreens = [
  {
    path: 'access-review',
    title: 'Access Review',
    about: 'Everybody with access to the account: keep it or take it away',
    synonyms: 'recertification audit attestation who has access leaver unused permissions revoke',
    icon: IconUserCheck,
    group: 'Settings',
    customer: 'needed',
    action: 'access-review.manage',
    page: () => import('#web/modules/access-review/access-review.page.tsx'),
  },
] as const satisfies readonly Screen[]
