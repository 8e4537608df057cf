import { matchPath, useLocation, useNavigate } from 'react-router'
import { SCREENS } from '#web/app/screens/screens.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { useCustomerNumber } from '#web/lib/address/portal-link.tsx'

/** Puts another customer, or none, into the address. Other parameters belong to the previous customer and are dropped. */
export function useChooseCustomer(): (number: string | undefined) => void {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const current = useCustomerNumber()
  return (number) => {
    if (number !== current) void navigate(withCustomer(pathOnOtherAccount(pathname), number), { state })
  }
}

/** The screen stays. But one email of an account means nothing on another account, so its list is shown instead. */
export function pathOnOtherAccount(pathname: string): string {
  const screen = SCREENS.find(({ path }) => matchPath(`/${path}`, pathname))
  return screen?.parent && screen.customer === 'needed' ? `/${screen.parent.path}` : pathname
}
