import { Button, Paper } from '@mantine/core'
import { IconHourglassEmpty } from '@tabler/icons-react'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

/** For screens that have a route but are not built yet. */
export function Page() {
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState
          icon={<IconHourglassEmpty size={28} stroke={1.5} aria-hidden />}
          title="This screen is not available in this version yet."
          actions={
            <Button variant="default" component={PortalLink} to="/home">
              Go to Home
            </Button>
          }
        />
      </Paper>
    </>
  )
}
