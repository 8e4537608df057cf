import { IconPlugConnected } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const tokensScreens = [
  {
    path: 'tokens',
    title: 'API Tokens',
    about: 'Tokens with which your programs call the API',
    synonyms: 'token key secret program script automation rest bearer',
    icon: IconPlugConnected,
    group: 'Settings',
    customer: 'needed',
    action: 'tokens.read',
    page: () => import('#web/modules/tokens/tokens.page.tsx'),
  },
] as const satisfies readonly Screen[]
