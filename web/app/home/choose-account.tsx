import { Button } from '@mantine/core'
import { canOnPortal } from '#domain/access/can.ts'
import { AccountLinks } from '#web/app/customer/account-links.tsx'
import { focusAccountPicker } from '#web/app/customer/account-picker.tsx'
import { AccountsInNeed } from '#web/app/home/accounts-in-need.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './home.module.css'

export function ChooseAccount() {
  const { actor } = useSignedIn()
  return (
    <>
      <PageHead
        context="Select an account to see its licenses."
        actions={<Button onClick={focusAccountPicker}>Select an account</Button>}
      />
      <div className={classes.home}>
        {canOnPortal(actor, 'accounts.overview').allowed && <AccountsInNeed />}
        <AccountLinks path="/home" />
      </div>
    </>
  )
}
