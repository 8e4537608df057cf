import { IconAddressBook } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const settingsScreens = [
  {
    path: 'portalaccess',
    title: 'Licensing Portal Access',
    about: 'Contacts of the account and their roles',
    synonyms: 'people users permissions administrator viewer former contacts',
    icon: IconAddressBook,
    group: 'Settings',
    customer: 'needed',
    action: 'contacts.read',
    page: () => import('#web/modules/settings/portal-access.page.tsx'),
  },
] as const satisfies readonly Screen[]
