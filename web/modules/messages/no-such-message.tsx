import { Button, Paper } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

type Props = { noun: 'alert' | 'email'; icon: Icon; all: string; children: ReactNode }

/** An address leads to a message that is not there. */
export function NoSuchMessage({ noun, icon, all, children }: Props) {
  const actions = (
    <Button variant="default" component={PortalLink} to={all}>
      Show all {noun}s
    </Button>
  )
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState icon={icon} title={`This ${noun} does not exist`} actions={actions}>
          {children}
        </EmptyState>
      </Paper>
    </>
  )
}
