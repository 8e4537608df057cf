import { Paper } from '@mantine/core'
import { IconServerOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import type { ServerKey } from '#web/modules/elastic/credentials/credentials.api.ts'
import { elasticDeviceQuery } from '#web/modules/elastic/usage/usage.api.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

export type ElasticServer = { readonly key: ServerKey; readonly id: string; readonly alias: string }

/** The elastic license server of the selected customer, once it is known. */
export function WithElasticServer({ children }: { children(server: ElasticServer): ReactNode }) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(elasticDeviceQuery(number))
  if (hasCode(error, 'NO_ELASTIC_SERVER'))
    return (
      <Paper>
        <EmptyState icon={IconServerOff} title="This account has no elastic license server.">
          It gets one with its first elastic entitlement.
        </EmptyState>
      </Paper>
    )
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  if (!data) return <Spinner />
  const { deviceId: id, alias } = data
  return children({ key: { customerNumber: number, clsId: id }, id, alias })
}
