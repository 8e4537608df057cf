import { IconLogin2 } from '@tabler/icons-react'
import type { Screen } from '#web/lib/address/screen.ts'

export const signInProvidersScreens = [
  {
    path: 'sign-in-provider',
    title: 'Sign-in',
    about: 'The domains of the account and the identity provider through which its people sign in',
    synonyms: 'sso single sign-on oidc openid saml entra okta keycloak identity provider domain',
    icon: IconLogin2,
    group: 'Settings',
    customer: 'needed',
    action: 'sign-in-provider.manage',
    page: () => import('#web/modules/sign-in-providers/sign-in-provider.page.tsx'),
  },
] as const satisfies readonly Screen[]
