import { useQuery } from '@tanstack/react-query'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { PortalRedirect } from '#web/lib/portal-link.tsx'
import { elasticQuery } from '#web/modules/entitlements/elastic.api.ts'
import { ElasticSection } from '#web/modules/entitlements/elastic-section.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { number, info } = useKnownCustomer()
  const { data } = useQuery(elasticQuery(number))
  if (data?.length === 0) return <PortalRedirect to="/ssl" />
  return (
    <>
      <PageHead context={`Elastic units as of ${info.today} (${info.timeZone})`} />
      <ElasticSection activity="active" />
      <ElasticSection activity="inactive" />
    </>
  )
}
