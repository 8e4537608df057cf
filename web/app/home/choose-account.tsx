import { Button } from '@mantine/core'
import { AccountLinks } from '#web/app/customer/account-links.tsx'
import { focusAccountPicker } from '#web/app/customer/account-picker.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function ChooseAccount() {
  return (
    <>
      <PageHead
        context="Select an account to see its licenses."
        actions={<Button onClick={focusAccountPicker}>Select an account</Button>}
      />
      <AccountLinks path="/home" />
    </>
  )
}
