import { IconListCheck } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const optionsFilesScreens = [
  {
    path: 'license-servers/:id/options',
    title: 'Options files',
    about: 'Who may use the seats of a license server: options files, reservations and where they are installed',
    icon: IconListCheck,
    group: 'Activations',
    parent: { title: 'Manage Activations', path: 'activations-history' },
    feature: 'activations-history',
    customer: 'needed',
    action: 'activations.read',
    refusedTo: '/',
    page: () => import('#web/modules/options-files/options-files.page.tsx'),
  },
] as const satisfies readonly Screen[]
