import { Button } from '@mantine/core'
import type { IconPlus } from '@tabler/icons-react'

type Props = {
  icon: typeof IconPlus
  /** The one that is used most. */
  isPrimary?: boolean
  disabled?: boolean
  loading?: boolean
  onClick(): void
  children: string
}

/** What can be done with a table or with its selected rows. */
export function TableButton({ icon: Icon, isPrimary = false, ...props }: Props) {
  return (
    <Button
      size="xs"
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<Icon size={15} aria-hidden />}
      {...props}
    />
  )
}
