import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { AccountInfo } from '#contract/accounts/get-account-info.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Standing } from '#domain/access/standing.ts'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { LANDING, LAST_ACCOUNT, withCustomer } from '#web/lib/address/portal-address.ts'
import { useCustomerNumber } from '#web/lib/address/portal-link.tsx'
import { hasCode } from '#web/lib/api/api-error.ts'
import { type Customer, CustomerContext, ShownAccountContext, useCustomer } from '#web/lib/customer.tsx'
import { accountInfoQuery } from '#web/modules/accounts/accounts.api.ts'
import { showPanel } from '#web/ui/panels.ts'

/** Loads the customer that the address names. Nothing below uses the customer before the server has confirmed it. */
export function CustomerProvider({ children }: { children: ReactNode }) {
  const number = useCustomerNumber()
  const query = accountInfoQuery(number ?? '')
  const { data, error, refetch } = useQuery({
    ...query,
    queryFn: number ? query.queryFn : skipToken,
    // The prefetch may have failed before this component mounted. It is not repeated.
    retryOnMount: false,
  })
  const queries = useQueryClient()
  // An account is loaded again each time it is selected.
  useEffect(() => () => queries.removeQueries(accountInfoQuery(number ?? '')), [queries, number])
  const customer = useMemo<Customer>(() => {
    if (!number) return { state: 'none' }
    if (isNoSuchAccount(error)) return { state: 'unknown', number }
    const reload = async () => {
      await refetch()
    }
    if (data) return { state: 'known', number, name: data.customerName, info: data, standing: standingOf(data), reload }
    if (error) return { state: 'failed', number, failure: error, retry: () => void refetch() }
    return { state: 'asking', number }
  }, [number, data, error, refetch])
  const [settled, setSettled] = useState(customer)
  if (customer.state !== 'asking' && settled !== customer) setSettled(customer)
  return (
    <CustomerContext value={customer}>
      <ShownAccountContext value={settled.state === 'known' ? settled : undefined}>
        {children}
        <SettleCustomer />
      </ShownAccountContext>
    </CustomerContext>
  )
}

/** Selects a single or the last account, removes an unknown one from the address, and remembers opened accounts. */
function SettleCustomer() {
  const customer = useCustomer()
  const portfolio = usePortfolio()
  const { pathname, search, hash, state } = useLocation()
  const { recent, remember } = useRecentAccounts()
  const unknown = customer.state === 'unknown' ? customer.number : undefined
  const opened = customer.state === 'known' ? customer : undefined

  useEffect(() => {
    if (unknown) showPanel('error', `Account ${unknown} was not found. Please select another one.`)
  }, [unknown])
  useEffect(() => {
    if (opened && isExportApproved(opened.standing.exportControlStatus))
      remember({ number: opened.number, name: opened.name })
  }, [opened, remember])

  const here = pathname + search + hash
  if (unknown) return <Navigate to={withCustomer(here, undefined)} state={state} replace />
  if (customer.state === 'none' && portfolio.state === 'single')
    return <Navigate to={withCustomer(here, portfolio.account.number)} state={state} replace />
  const wantsLast = customer.state === 'none' && new URLSearchParams(search).get(LANDING) === LAST_ACCOUNT
  if (wantsLast && recent) return <Navigate to={withCustomer(pathname, recent[0]?.number)} state={state} replace />
  return null
}

/** A malformed number is treated as an account that does not exist. */
function isNoSuchAccount(error: Error | null): boolean {
  return hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')
}

/** The account info as the access rules need it. */
function standingOf(info: AccountInfo): Standing {
  return {
    customerNumber: info.customerNumber,
    contactRole: contactRoleOf(info),
    isSalesAccess: info.isSalesAccess,
    isFNPLicenseGenerator: info.isFNPLicenseGenerator,
    isAccessDisabled: info.isAccessDisabled,
    exportControlStatus: info.ansysExportControlStatus,
    orgType: info.orgType,
    holdings: {
      elastic: info.hasElastic,
      ssl: info.hasSSL,
      fsa: info.hasFSA,
      sharedWeb: info.hasSharedLicense,
      namedUser: info.hasNamedLicense,
    },
  }
}

function contactRoleOf(info: AccountInfo): ContactRole | null {
  if (info.isAsc) return SUPPORT_COORDINATOR
  if (info.isPortalEdit) return ADMINISTRATOR
  return info.isPortalView ? VIEWER : null
}
