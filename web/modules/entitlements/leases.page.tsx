import { startTransition, useCallback, useState } from 'react'
import { LeaseSection } from '#web/modules/entitlements/lease-section.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function Page() {
  // The second table is below the window, and must not delay the first one.
  const [isFirstDrawn, setIsFirstDrawn] = useState(false)
  const showSecond = useCallback(() => startTransition(() => setIsFirstDrawn(true)), [])
  return (
    <>
      <PageHead />
      <LeaseSection activity="active" onDrawn={showSecond} />
      {isFirstDrawn ? <LeaseSection activity="inactive" /> : <Skeleton />}
    </>
  )
}
