import { Anchor } from '@mantine/core'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { fulfillmentColumn } from '#domain/entitlements/fulfillment-column.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'
import classes from './entitlements.module.css'

type Props = { row: LeaseRow; mayActivate: boolean; onOpen(row: LeaseRow): void }

/** How many seats are activated; where hosts hold them, a way to see which, and to activate those that are free. */
export function TotalActivated({ row, mayActivate, onOpen }: Props) {
  const count = row.ansysactivated
  if (count === undefined) return <span className={classes.loading} role="img" aria-label="Loading" />
  if (count === null || fulfillmentColumn(row.ansyslicensemodel) !== 'ledger') return countText(count)
  const isFree = mayActivate && row.remainingdays !== EXPIRED && count < row.ansyscount
  return (
    <span className={classes.total}>
      <Anchor
        component="button"
        type="button"
        className={classes.activated}
        aria-label={`${countText(count)} activated: show the hosts`}
        onClick={() => onOpen(row)}
      >
        {countText(count)}
      </Anchor>
      {isFree && (
        <Anchor
          component={PortalLink}
          className={classes.activate}
          to={`/activations?${new URLSearchParams({ activate: row.activationid })}`}
          aria-label={`Activate ${row.ansysproduct} ${row.activationid}`}
        >
          Activate
        </Anchor>
      )}
    </span>
  )
}
