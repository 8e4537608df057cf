import { Button, Paper } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head/page-head.tsx'

export function NoSuchAlert() {
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState
          icon={<IconBellOff size={28} stroke={1.5} aria-hidden />}
          title="There is no such alert"
          actions={
            <Button variant="default" component={PortalLink} to="/notifications">
              Show all alerts
            </Button>
          }
        >
          The address may be incomplete.
        </EmptyState>
      </Paper>
    </>
  )
}
