import '@mantine/core/styles.layer.css'
import '#web/ui/theme/base.css'
import { MantineProvider, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '#web/lib/api/query-client.ts'
import { preferencesQuery } from '#web/table/view/preferences.api.ts'
import { OpenedDialogs } from '#web/ui/dialogs/open-dialog.tsx'
import { cssVariables, themeFor } from '#web/ui/theme/theme.ts'
import { HostsTable } from './hosts-table.tsx'
import { OrderForm } from './order-form.tsx'
import { PartsTable } from './parts-table.tsx'
import { ThousandRows } from './thousand-rows.tsx'

const queries = createQueryClient()
// The gallery has no server that could know a saved view.
queries.setQueryData(preferencesQuery.queryKey, [])

const router = createBrowserRouter([
  { path: '/hosts', element: <HostsTable /> },
  { path: '/form', element: <OrderForm /> },
  { path: '/parts', element: <PartsTable /> },
  { path: '/thousand', element: <ThousandRows /> },
])

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={themeFor('#3451b2')} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <QueryClientProvider client={queries}>
      <main id="main">
        <Title order={1}>Gallery</Title>
        <RouterProvider router={router} useTransitions={false} />
      </main>
      <OpenedDialogs />
    </QueryClientProvider>
  </MantineProvider>,
)
