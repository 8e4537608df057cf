import { IconCpu, IconServer, IconServerCog } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const activationsScreens = [
  {
    path: 'activations',
    title: 'Activate Entitlements',
    about: 'Activate licenses on a license server and generate its license file',
    synonyms: 'host server machine seat download',
    icon: IconCpu,
    group: 'Activations',
    customer: 'needed',
    action: 'activations.read',
    refusedTo: '/',
    page: () => import('#web/modules/activations/activations.page.tsx'),
  },
  {
    path: 'activations-history',
    title: 'Manage Activations',
    about: 'License servers, their licenses and their history',
    synonyms: 'host server machine rehost move deactivate return renew replace with renewal seat',
    icon: IconServerCog,
    group: 'Activations',
    customer: 'needed',
    action: 'activations.read',
    refusedTo: '/',
    page: () => import('#web/modules/activations/history/activations-history.page.tsx'),
  },
  {
    path: 'license-servers/:id',
    title: 'License server',
    about: 'One license server: its license file, seats, customers and history',
    icon: IconServer,
    group: 'Activations',
    parent: { title: 'Manage Activations', path: 'activations-history' },
    feature: 'activations-history',
    customer: 'needed',
    action: 'activations.read',
    refusedTo: '/',
    page: () => import('#web/modules/activations/hosts/license-server.page.tsx'),
  },
] as const satisfies readonly Screen[]
