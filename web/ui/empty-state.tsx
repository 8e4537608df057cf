import { EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown if there is no data: why, and what to do. */
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
