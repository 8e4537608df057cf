import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/plans/confirm-plan.dialog.tsx'
import { RENEW } from '#web/modules/activations/plans/plan-names.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

/** Replaces what ends soon on all hosts of the account. */
export function RenewAll() {
  const { number } = useKnownCustomer()
  const mayChange = useCan('activations.write')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ReasonTooltip reason={mayChange ? undefined : NOT_ENOUGH_PERMISSIONS}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          {RENEW}
        </Button>
      </ReasonTooltip>
      {isOpen && (
        <ConfirmPlanDialog
          request={{ customerNumber: number, action: 'RENEW', host: undefined }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
