import { useShownAccount } from '#web/lib/customer.tsx'
import { useRouteHandle } from '#web/ui/crumbs.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The head of a screen and bars below it, while its code or its account loads. */
export function ScreenSkeleton() {
  const route = useRouteHandle()
  const account = useShownAccount()
  return (
    <>
      {/* On Home, the name of the account is the title. */}
      <PageHead title={route?.menuPath === 'home' ? account?.name : undefined} />
      <Skeleton />
    </>
  )
}
