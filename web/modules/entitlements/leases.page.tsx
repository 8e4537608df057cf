import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LeaseSection } from '#web/modules/entitlements/lease-section.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { info } = useKnownCustomer()
  return (
    <>
      <PageHead context={`Leased and perpetual licenses as of ${info.today} (${info.timeZone})`} />
      <LeaseSection activity="active" />
      <LeaseSection activity="inactive" />
    </>
  )
}
