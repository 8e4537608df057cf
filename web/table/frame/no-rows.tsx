import { Button } from '@mantine/core'
import { IconFilterSearch, IconTableOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/empty-state.tsx'

type Props = {
  /** What is listed, in the plural: 'transactions'. */
  what: string
  /** Why there is nothing although nothing is filtered, and what to do about it. */
  children: ReactNode
  onClearFilters: (() => void) | undefined
}

/** Says why a table is empty: because of its filters, or because there is nothing. */
export function NoRows({ what, children, onClearFilters }: Props) {
  if (onClearFilters)
    return (
      <EmptyState
        icon={<IconFilterSearch size={28} stroke={1.5} aria-hidden />}
        title={`No ${what} match the filters`}
        actions={
          <Button variant="default" onClick={onClearFilters}>
            Clear Filters
          </Button>
        }
      >
        Change the filters above the columns, or clear them.
      </EmptyState>
    )
  return (
    <EmptyState icon={<IconTableOff size={28} stroke={1.5} aria-hidden />} title={`No ${what}`}>
      {children}
    </EmptyState>
  )
}
