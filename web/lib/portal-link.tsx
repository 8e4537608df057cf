import { Link, type LinkProps, Navigate, useSearchParams } from 'react-router'
import { CUSTOMER, withCustomer } from '#web/lib/portal-address.ts'

/** The customer that the address names, whether or not the server knows it. */
export function useCustomerNumber(): string | undefined {
  const [search] = useSearchParams()
  return search.get(CUSTOMER) || undefined
}

/** Addresses inside the portal keep the selected customer. */
export function usePortalAddress(): (address: string) => string {
  const number = useCustomerNumber()
  return (address) => withCustomer(address, number)
}

export function PortalLink({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  return <Link to={usePortalAddress()(to)} {...rest} />
}

export function PortalRedirect({ to, state }: { to: string; state?: unknown }) {
  return <Navigate to={usePortalAddress()(to)} state={state} replace />
}
