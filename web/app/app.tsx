import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { createRouter } from '#web/app/router.tsx'
import { userDetailsQuery } from '#web/app/session/session.api.ts'
import { cspNonce } from '#web/lib/csp-nonce.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { featuresQuery } from '#web/modules/settings/settings.api.ts'
import { cssVariables, themeFor } from '#web/ui/theme/theme.ts'

export function App() {
  const [queries] = useState(() => {
    const client = createQueryClient()
    // Asked for while the code of the screen is still on its way.
    void client.prefetchQuery(userDetailsQuery)
    void client.prefetchQuery(featuresQuery)
    return client
  })
  const [router] = useState(createRouter)
  return (
    <QueryClientProvider client={queries}>
      <ModalsProvider>
        <RouterProvider router={router} />
      </ModalsProvider>
    </QueryClientProvider>
  )
}

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' })

/** Colors and type; also around the one page that can be shown before the brand is known. */
export function Look({ brandColor, children }: { brandColor: string; children: ReactNode }) {
  return (
    <MantineProvider
      theme={themeFor(brandColor)}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      {children}
    </MantineProvider>
  )
}
