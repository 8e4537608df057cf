import { useLocation, useNavigate } from 'react-router'
import { withCustomer } from '#web/lib/portal-address.ts'
import { useCustomerNumber } from '#web/lib/portal-link.tsx'

/** Puts another customer, or none, into the address. Other parameters belong to the previous customer and are dropped. */
export function useChooseCustomer(): (number: string | undefined) => void {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const current = useCustomerNumber()
  return (number) => {
    if (number !== current) void navigate(withCustomer(pathname, number), { state })
  }
}
