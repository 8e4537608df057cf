import type { LeaseRow } from '#domain/entitlements/lease-row.ts'
import { MAINTENANCE_ENDS_ON } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/figures.ts'
import { EntitlementCell } from '#web/modules/entitlements/entitlement-cell.tsx'
import { RemainingDays, remainingText } from '#web/modules/entitlements/remaining-days.tsx'
import { TotalActivated } from '#web/modules/entitlements/total-activated.tsx'
import { CONTAINS_OR_EQUALS, type Column } from '#web/ui/grid/model/column.ts'
import classes from './entitlements.module.css'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const

export function leaseColumns(onSeats: (row: LeaseRow) => void): readonly Column<LeaseRow>[] {
  return [
    {
      id: 'ansysproduct',
      header: 'Entitlement',
      width: 212,
      filter: text,
      isSticky: true,
      text: (row) => `${row.ansysproduct} ${row.activationid}`,
      cell: (row) => (
        <EntitlementCell product={row.ansysproduct} activationId={row.activationid} isEvaluation={row.isEval} />
      ),
    },
    {
      id: 'ansyslicensemodel',
      header: 'License Model',
      width: 116,
      filter: text,
      isSortable: false,
      text: (row) => row.ansyslicensemodel,
    },
    {
      id: 'ansyscount',
      header: 'Count',
      width: 70,
      align: 'right',
      filter: number,
      isSortable: false,
      text: (row) => countText(row.ansyscount),
    },
    { id: 'startdate', header: 'Start Date', width: 114, filter: text, text: (row) => row.startdate },
    {
      id: 'enddate',
      header: 'Expiration Date',
      width: 146,
      filter: text,
      text: (row) => row.enddate,
      cell: (row) => <EndDate row={row} />,
    },
    {
      id: 'remainingdays',
      header: 'Remaining Days',
      width: 130,
      filter: text,
      text: remainingText,
      cell: (row) => <RemainingDays row={row} />,
    },
    {
      id: 'ansysactivated',
      header: 'Total Activated',
      width: 126,
      align: 'right',
      isSortable: false,
      text: activatedText,
      cell: (row) => <TotalActivated row={row} onOpen={onSeats} />,
    },
  ]
}

function activatedText({ ansysactivated }: LeaseRow): string {
  return ansysactivated === undefined ? 'Loading' : countText(ansysactivated)
}

/** What is permanent has no end: its maintenance has. */
function EndDate({ row: { enddate, versiondate } }: { row: LeaseRow }) {
  if (!enddate.startsWith(MAINTENANCE_ENDS_ON)) return enddate
  return (
    <span className={classes.maintenance}>
      <span>{MAINTENANCE_ENDS_ON} </span>
      <span>{versiondate}</span>
    </span>
  )
}
