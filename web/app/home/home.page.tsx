import { AccountHome } from '#web/app/home/account-home.tsx'
import { ChooseAccount } from '#web/app/home/choose-account.tsx'
import { useCustomer } from '#web/lib/customer.tsx'

export function Page() {
  const customer = useCustomer()
  return customer.state === 'known' ? <AccountHome customer={customer} /> : <ChooseAccount />
}
