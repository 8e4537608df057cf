import { Fragment, type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation } from 'react-router'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { gate } from '#web/app/screens/gate.ts'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { useFeatures } from '#web/app/screens/use-features.ts'
import { PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { featureOf, type Screen } from '#web/lib/address/screen.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

export function ScreenGate({ screen, children }: { screen: Screen; children: ReactNode }) {
  const { actor } = useSignedIn()
  const features = useFeatures()
  const customer = useCustomer()
  const portfolio = usePortfolio()
  const { pathname } = useLocation()
  const isEnabled = features?.isOpen(featureOf(screen))
  const [wasEnabled, setWasEnabled] = useState(false)
  if (isEnabled && !wasEnabled) setWasEnabled(true)
  const verdict = features && gate(screen, { actor, features, customer, portfolio })
  // A screen that had to wait is rendered as a transition, so that the browser stays responsive.
  const isDrawn = useDeferredValue(verdict?.kind === 'show')
  if (!verdict) return <ScreenSkeleton />
  // Somebody who switches off the screen that they are on goes Home. For everyone else the screen does not exist.
  if (!isEnabled && wasEnabled && screen.path !== 'home') return <PortalRedirect to="/home" />
  switch (verdict.kind) {
    case 'wait':
      return <ScreenSkeleton />
    case 'failed':
      return <FailureNotice failure={verdict.failure} onRetry={verdict.retry} />
    case 'go':
      return <PortalRedirect to={verdict.to} state={{ from: pathname }} />
    case 'show':
      if (!isDrawn) return <ScreenSkeleton />
      // The key remounts the screen for every customer, so that no state of another one remains.
      return <Fragment key={customer.state === 'known' ? customer.number : ''}>{children}</Fragment>
  }
}
