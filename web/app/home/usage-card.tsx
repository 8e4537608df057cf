import { Anchor, Paper } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { financeReport } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './balance-card.module.css'

/** Charts come after Home is there: numbers that need attention do not wait for them. */
const UsageTrends = lazy(async () => ({
  default: (await import('#web/modules/elastic/balances/usage-trend.tsx')).UsageTrends,
}))

/** What was used of elastic units day by day, and when they run out. */
export function UsageCard({ hasReport }: { hasReport: boolean }) {
  return (
    <Paper p="1rem" className={classes.usage}>
      <Suspense fallback={<Spinner />}>
        <UsageTrends isSmall />
      </Suspense>
      {hasReport && (
        <Anchor component={PortalLink} to={financeReport()} display="inline-block" mt="0.75rem">
          Report for finance
        </Anchor>
      )}
    </Paper>
  )
}
