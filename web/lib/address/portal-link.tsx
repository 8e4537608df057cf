import { Link, type LinkProps, Navigate, useSearchParams } from 'react-router'
import { customerIn, withCustomer } from '#web/lib/address/portal-address.ts'

export function useCustomerNumber(): string | undefined {
  const [search] = useSearchParams()
  return customerIn(search)
}

/** Adds the selected customer to an address of the portal. */
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
