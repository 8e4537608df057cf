import { Anchor } from '@mantine/core'
import { fulfillmentColumn } from '#domain/entitlements/fulfillment-column.ts'
import type { LeaseRow } from '#domain/entitlements/lease-row.ts'
import { countText } from '#web/lib/format.ts'
import classes from './entitlements.module.css'

/** How many seats are activated; where hosts hold them, a way to see which. */
export function TotalActivated({ row, onOpen }: { row: LeaseRow; onOpen(row: LeaseRow): void }) {
  const count = row.ansysactivated
  if (count === undefined) return <span className={classes.loading} role="img" aria-label="Loading" />
  if (count === null || fulfillmentColumn(row.ansyslicensemodel) !== 'ledger') return countText(count)
  return (
    <Anchor
      component="button"
      type="button"
      className={classes.activated}
      aria-label={`${countText(count)} activated: show the hosts`}
      onClick={() => onOpen(row)}
    >
      {countText(count)}
    </Anchor>
  )
}
