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
  /** How many rows are ticked, for what acts on them: it is there as soon as there are some. */
  selected?: number
  onClick(): void
  children: string
}

/** A button that acts on a table or its selected rows, for people who may change web licenses. */
export function TableButton({ icon: Icon, isPrimary = false, reason, selected, ...props }: Props) {
  const mayWrite = useCan('web-licenses.write')
  if (mayWrite && selected === 0) return null
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
