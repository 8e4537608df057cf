import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contractRows } from '#contract/fsa/contract-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ContractSection } from '#web/modules/fsa/contract-section.tsx'
import { fsaEntitlementsQuery } from '#web/modules/fsa/fsa.api.ts'
import { LOADING } from '#web/modules/fsa/fsa-texts.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The contracts of the account, with what is left of them. */
export function EntitlementsTab({ onOrder }: { onOrder(entitlementId: string): void }) {
  const { number, info } = useKnownCustomer()
  const { data, error, refetch } = useQuery(fsaEntitlementsQuery(number))
  const { active, inactive } = useMemo(() => {
    const rows = contractRows(data ?? [], info.today)
    return { active: rows.filter(({ isActive }) => isActive), inactive: rows.filter(({ isActive }) => !isActive) }
  }, [data, info.today])
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner text={LOADING} />
  return (
    <>
      <ContractSection activity="active" rows={active} onOrder={onOrder} />
      <ContractSection activity="inactive" rows={inactive} />
    </>
  )
}
