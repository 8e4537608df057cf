import { Button } from '@mantine/core'
import type { IconPlus } from '@tabler/icons-react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { useCan } from '#web/lib/customer.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = {
  icon: typeof IconPlus
  /** The primary button. */
  isPrimary?: boolean
  /** Why it cannot be used now. */
  reason?: string | undefined
  loading?: boolean
  onClick(): void
  children: string
}

/** A button that acts on a table or its selected rows, for people who may change web licenses. */
export function TableButton({ icon: Icon, isPrimary = false, reason, ...props }: Props) {
  const mayWrite = useCan('web-licenses.write')
  return (
    <ReasonTooltip reason={mayWrite ? reason : NOT_ENOUGH_PERMISSIONS}>
      <Button
        size="xs"
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={<Icon size={15} aria-hidden />}
        {...props}
      />
    </ReasonTooltip>
  )
}
