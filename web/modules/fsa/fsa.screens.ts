import { IconWallet } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const fsaScreens = [
  {
    path: 'entitlementsFSA',
    title: 'Flexible Spending Account',
    about: 'Contracts, balances and orders',
    synonyms: 'fsa budget order buy drawdown quote',
    icon: IconWallet,
    group: 'Entitlements',
    isInMenu: ({ on }) => on?.holdings.fsa === true,
    customer: 'needed',
    action: 'fsa.read',
    page: () => import('#web/modules/fsa/fsa.page.tsx'),
  },
] as const satisfies readonly Screen[]
