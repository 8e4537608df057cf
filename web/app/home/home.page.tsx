import { AccountSummary } from '#web/app/home/account-summary.tsx'
import { ChooseAccount } from '#web/app/home/choose-account.tsx'
import { useCustomer } from '#web/lib/customer.tsx'

export function Page() {
  const customer = useCustomer()
  return customer.state === 'known' ? <AccountSummary customer={customer} /> : <ChooseAccount />
}
