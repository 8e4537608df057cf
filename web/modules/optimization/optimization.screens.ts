import { IconChartArrowsVertical } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const optimizationScreens = [
  {
    path: 'optimization',
    title: 'Optimization',
    about: 'Seats against their peak use, and what could be released',
    synonyms: 'unused idle savings seat',
    icon: IconChartArrowsVertical,
    group: 'Web',
    // It is mainly about seats, but covers elastic products as well.
    otherGroup: 'Elastic Reporting',
    customer: 'needed',
    action: 'web-licenses.read',
    page: () => import('#web/modules/optimization/optimization.page.tsx'),
  },
] as const satisfies readonly Screen[]
