import { IconFileCertificate } from '@tabler/icons-react'
import { isSelfServeAllowed } from '#domain/access/can.ts'
import type { Screen } from '#web/lib/address/screen.ts'

export const entitlementsScreens = [
  {
    path: 'ssl',
    title: 'Leases/Perpetuals',
    about: 'Leased and perpetual licenses, active and inactive',
    synonyms: 'ssl license maintenance expire renewal',
    icon: IconFileCertificate,
    group: 'Entitlements',
    // Without an account the entry leads to /noselectedcustomer.
    isInMenu: ({ who, on }) => !on || isSelfServeAllowed(who, on),
    customer: 'needed',
    action: 'ssl.read',
    page: () => import('#web/modules/entitlements/leases.page.tsx'),
  },
] as const satisfies readonly Screen[]
