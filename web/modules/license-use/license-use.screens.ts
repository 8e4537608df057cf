import { IconChartHistogram } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const licenseUseScreens = [
  {
    path: 'license-use',
    title: 'License Use',
    about: 'Seats that license servers use, peaks, and who was denied',
    synonyms: 'usage lmstat flexnet debug log denied denials peak heat map seats in use collector upload',
    icon: IconChartHistogram,
    group: 'Activations',
    customer: 'needed',
    action: 'activations.read',
    refusedTo: '/',
    page: () => import('#web/modules/license-use/license-use.page.tsx'),
  },
] as const satisfies readonly Screen[]
