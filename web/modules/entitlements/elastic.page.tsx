import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { PortalLink, PortalRedirect } from '#web/lib/portal-link.tsx'
import { elasticQuery } from '#web/modules/entitlements/elastic.api.ts'
import { ElasticSection } from '#web/modules/entitlements/elastic-section.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { number, info } = useKnownCustomer()
  const { data } = useQuery(elasticQuery(number))
  if (data?.length === 0) return <PortalRedirect to="/ssl" />
  return (
    <>
      <PageHead
        context={`Elastic units as of ${info.today} (${info.timeZone}). "Runs Out On" is based on usage in the last ${USUAL_WINDOW} days.`}
        actions={
          <Anchor component={PortalLink} to="/elastic-denials">
            Show denied session starts
          </Anchor>
        }
      />
      <ElasticSection activity="active" />
      <ElasticSection activity="inactive" />
    </>
  )
}
