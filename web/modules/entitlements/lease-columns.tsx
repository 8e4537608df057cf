import type { ReactNode } from 'react'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { fulfillmentColumn } from '#domain/entitlements/fulfillment-column.ts'
import { LICENSE_MODEL_GROUPS } from '#domain/entitlements/license-model.ts'
import { EXPIRED, MAINTENANCE_ENDED, MAINTENANCE_ENDS_ON } from '#domain/entitlements/term.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countText } from '#web/lib/format.ts'
import { endDate, isMaintenanceOver } from '#web/parts/entitlement/end-date.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import { remainingDays, remainingText } from '#web/parts/entitlement/remaining-days.tsx'
import { remainingProblem } from '#web/parts/entitlement/remaining-filter.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, textColumn } from '#web/table/columns/column-kinds.ts'
import classes from './entitlements.module.css'

type Options = { today: CalendarDay; mayActivate: boolean; onSeats(row: LeaseRow): void }

export function leaseColumns({ today, mayActivate, onSeats }: Options): readonly Column<LeaseRow>[] {
  return [
    entitlementColumn({ id: 'ansysproduct', width: 270, flexible: { min: 260 } }, (row) => ({
      product: row.ansysproduct,
      activationId: row.activationid,
      isEvaluation: row.isEval,
    })),
    textColumn('ansyslicensemodel', 'License Model', 112, {
      filter: { kind: 'text', hasValues: LICENSE_MODEL_GROUPS },
      isSortable: false,
    }),
    countColumn('ansyscount', 'Count', 62, { isSortable: false }),
    dayColumn('startdate', 'Start Date', 108),
    dayColumn('enddate', 'Expiration Date', 142, {
      filter: { kind: 'day', phrase: MAINTENANCE_ENDS_ON, words: [MAINTENANCE_ENDED] },
      phone: 'second line',
      cell: (row) => endDate(row, today),
    }),
    {
      id: 'remainingdays',
      header: 'Remaining Days',
      width: 122,
      filter: { kind: 'text', problemOf: remainingProblem },
      phone: 'second line',
      text: remainingText,
      cell: (row) => remainingDays(row, { isMaintenanceOver: isMaintenanceOver(row, today) }),
    },
    {
      id: 'ansysactivated',
      header: 'Total Activated',
      width: 116,
      kind: 'number',
      isSortable: false,
      text: activatedText,
      cell: (row) => totalActivated(row, mayActivate, onSeats),
    },
  ]
}

function activatedText({ ansysactivated }: LeaseRow): string {
  return ansysactivated === undefined ? 'Loading' : countText(ansysactivated)
}

/** How many seats are activated; where hosts hold them, a way to see which, and to activate those that are free. */
function totalActivated(row: LeaseRow, mayActivate: boolean, onOpen: (row: LeaseRow) => void): ReactNode {
  const count = row.ansysactivated
  if (count === undefined) return <span className={classes.loading} role="img" aria-label="Loading" />
  if (count === null || fulfillmentColumn(row.ansyslicensemodel) !== 'ledger') return countText(count)
  const isFree = mayActivate && row.remainingdays !== EXPIRED && count < row.ansyscount
  return (
    <span className={classes.total}>
      {isFree && (
        <PortalLink
          className={classes.activate}
          to={`/activations?${new URLSearchParams({ activate: row.activationid })}`}
          aria-label={`Activate ${row.ansysproduct} ${row.activationid}`}
        >
          Activate
        </PortalLink>
      )}
      <button
        type="button"
        className={classes.activated}
        data-none={count === 0 || undefined}
        aria-label={`${countText(count)} activated: show the license servers`}
        onClick={() => onOpen(row)}
      >
        {countText(count)}
      </button>
    </span>
  )
}
