import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/history/confirm-plan.dialog.tsx'
import { notice } from '#web/ui/dialogs/notice.tsx'

/** Replaces what ends soon on all hosts of the account. */
export function RenewAll() {
  const { number } = useKnownCustomer()
  const mayChange = useCan('activations.write')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() => (mayChange ? setIsOpen(true) : notice(undefined, `Customer ${number}`))}
      >
        Replace with renewal
      </Button>
      {isOpen && (
        <ConfirmPlanDialog
          request={{ customerNumber: number, action: 'RENEW', host: undefined }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
