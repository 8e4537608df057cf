import { startTransition, useCallback, useState } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LeaseSection } from '#web/modules/entitlements/lease-section.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function Page() {
  const { info } = useKnownCustomer()
  // The second table is below the window, and must not delay the first one.
  const [isFirstDrawn, setIsFirstDrawn] = useState(false)
  const showSecond = useCallback(() => startTransition(() => setIsFirstDrawn(true)), [])
  return (
    <>
      <PageHead context={`Leased and perpetual licenses as of ${info.today} (${info.timeZone})`} />
      <LeaseSection activity="active" onDrawn={showSecond} />
      {isFirstDrawn ? <LeaseSection activity="inactive" /> : <Skeleton />}
    </>
  )
}
