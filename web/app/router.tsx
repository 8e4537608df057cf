import { createBrowserRouter, type RouteObject } from 'react-router'
import { CustomerProvider } from '#web/app/customer/customer-provider.tsx'
import { SignedInOnly } from '#web/app/identity/signed-in-only.tsx'
import { INFORMATION, type Information } from '#web/app/information/information.ts'
import { InformationPage } from '#web/app/information/information-page.tsx'
import { screenRoute } from '#web/app/screens/screen-route.tsx'
import { SCREENS } from '#web/app/screens/screens.ts'
import { RouteFailure } from '#web/app/shell/route-failure.tsx'
import { Shell } from '#web/app/shell/shell.tsx'
import { LANDING, LAST_ACCOUNT } from '#web/lib/address/portal-address.ts'
import { PortalRedirect, useCustomerNumber } from '#web/lib/address/portal-link.tsx'
import type { RouteHandle } from '#web/ui/crumbs.ts'

export function createRouter() {
  return createBrowserRouter([
    {
      element: <Portal />,
      errorElement: <RouteFailure />,
      children: [
        { index: true, element: <PortalRedirect to="/elastic" /> },
        ...SCREENS.map((screen) => screenRoute({ page: () => import('#web/app/home/home.page.tsx'), ...screen })),
        ...INFORMATION.map(informationRoute),
        { path: '*', element: <NotFound /> },
      ],
    },
  ])
}

function Portal() {
  return (
    <SignedInOnly>
      <CustomerProvider>
        <Shell />
      </CustomerProvider>
    </SignedInOnly>
  )
}

/** A mistyped address is no reason to forget the account. */
function NotFound() {
  return <PortalRedirect to={useCustomerNumber() ? '/error/404' : `/error/404?${LANDING}=${LAST_ACCOUNT}`} />
}

function informationRoute(page: Information): RouteObject {
  return {
    path: page.path,
    handle: { title: page.title, crumbs: [{ text: 'Home', to: '/home' }] } satisfies RouteHandle,
    // The key gives every page its own state: each remembers the customer that was selected when it opened.
    element: <InformationPage key={page.path} page={page} />,
  }
}
