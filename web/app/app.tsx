import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RouterProvider } from 'react-router/dom'
import { userDetailsQuery } from '#web/app/identity/identity.api.ts'
import type { createRouter } from '#web/app/router.tsx'
import { customerIn } from '#web/lib/address/portal-address.ts'
import { createQueryClient } from '#web/lib/api/query-client.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { accountInfoQuery, firstAccountsQuery } from '#web/modules/accounts/accounts.api.ts'
import { activeAlertsQuery } from '#web/modules/messages/alerts.api.ts'
import { featuresQuery } from '#web/modules/settings/settings.api.ts'
import { preferencesQuery } from '#web/table/view/preferences.api.ts'
import { OpenedDialogs } from '#web/ui/dialogs/open-dialog.tsx'
import { cssVariables, themeFor } from '#web/ui/theme/theme.ts'

export function App({ router, queries }: { router: ReturnType<typeof createRouter>; queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      {/* Without transitions, nobody can act on the account before while the next one loads. */}
      <RouterProvider router={router} useTransitions={false} />
      <OpenedDialogs />
    </QueryClientProvider>
  )
}

/** Loads what nearly every screen needs while the code of the screen loads, and waits for what the frame needs. */
export async function preparedQueries(): Promise<QueryClient> {
  const client = createQueryClient()
  const frame = [
    client.prefetchQuery(userDetailsQuery),
    client.prefetchQuery(featuresQuery),
    // A banner that arrives later would push the page down.
    client.prefetchQuery(activeAlertsQuery(runtimeConfig().alertRefreshMinutes)),
  ]
  void client.prefetchQuery(firstAccountsQuery)
  void client.prefetchQuery(preferencesQuery)
  const number = customerIn(window.location.search)
  if (number) void client.prefetchQuery(accountInfoQuery(number))
  // Failures are shown where the answers are used.
  await Promise.all(frame)
  return client
}

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' })

/** Colors and type. Also used for the error page before the brand is known. */
export function Look({ brandColor, children }: { brandColor: string; children: ReactNode }) {
  return (
    <MantineProvider
      theme={themeFor(brandColor)}
      cssVariablesResolver={cssVariables}
      // Writes all variables of the theme, so that no style sheet has to bring Mantine's defaults.
      deduplicateCssVariables={false}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      {children}
    </MantineProvider>
  )
}

/** The content security policy refuses runtime styles without this nonce. */
const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The scroll lock of dialogs reads the nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: cspNonce })
