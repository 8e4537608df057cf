import { EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'

/** Where there is nothing to show: why that is, and what to do about it. */
export function EmptyState(props: { icon: ReactNode; title: ReactNode; children?: ReactNode; actions?: ReactNode }) {
  return (
    <MantineEmptyState
      icon={props.icon}
      title={props.title}
      description={props.children}
      size="sm"
      withIndicatorBackground
      py="xl"
    >
      {props.actions && <MantineEmptyState.Actions>{props.actions}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  )
}
