import { canOnPortal } from '#domain/access/can.ts'
import { AccountLinks } from '#web/app/customer/account-links.tsx'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { AccountHome } from '#web/app/home/account-home.tsx'
import { AccountsInNeed } from '#web/app/home/accounts-in-need.tsx'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { useSetup } from '#web/app/setup/setup.api.ts'
import { SetupSteps } from '#web/app/setup/setup-steps.tsx'
import { useCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const customer = useCustomer()
  return customer.state === 'known' ? <AccountHome customer={customer} /> : <ChooseAccount />
}

function ChooseAccount() {
  const { actor } = useSignedIn()
  const portfolio = usePortfolio()
  if (portfolio.state === 'none') return <NoAccountsYet />
  return (
    <>
      <PageHead context="Select an account to see its licenses." />
      {canOnPortal(actor, 'accounts.overview').allowed ? <AccountsInNeed /> : <AccountLinks path="/home" />}
    </>
  )
}

function NoAccountsYet() {
  const { state, command, error, refetch } = useSetup('empty')
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />
  if (!state) return <ScreenSkeleton />
  return (
    <>
      <PageHead context="There are no accounts yet. Import your data, and they appear here." />
      <SetupSteps state={state} command={command} />
    </>
  )
}
