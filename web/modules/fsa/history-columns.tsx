import type { HistoryRow } from '#contract/fsa/history-list.ts'
import { countText, timeText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, CURRENCY } from '#web/ui/entitlement/balance-columns.tsx'
import { entitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'
import classes from './fsa.module.css'

/** Narrow enough for a window of 1440 pixels beside the open menu. */
export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 144,
    flexible: { min: 144, max: 480 },
    filter: 'text',
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.entitlementId}`.trim(),
    cell: (row) =>
      entitlementCell({
        product: row.ansysproduct,
        activationId: row.entitlementId,
        idName: 'entitlement ID',
        isWrapping: true,
      }),
  },
  { id: 'fsaId', header: 'FSA Contract', width: 180, kind: 'id', filter: 'text', text: (row) => row.fsaId },
  {
    id: 'orderdate',
    header: 'Order Date',
    width: 155,
    kind: 'date',
    filter: 'time',
    phone: 'second line',
    text: (row) => timeText(row.orderdate),
  },
  { id: 'count', header: 'Count', width: 62, kind: 'number', filter: 'number', text: (row) => countText(row.count) },
  { id: 'startdate', header: 'Start Date', width: 98, kind: 'date', filter: 'day', text: (row) => row.startdate },
  { id: 'enddate', header: 'Expiration Date', width: 98, kind: 'date', filter: 'day', text: (row) => row.enddate },
  { ...amountColumn('cost', 'Cost', 84), phone: 'first line' },
  CURRENCY,
  {
    id: 'requester',
    header: 'Requester',
    width: 150,
    filter: 'text',
    text: (row) => row.requester,
    cell: ({ requester }) => <Requester email={requester} />,
  },
]

/** An address in two lines where it does not fit in one. Business operations as a whole have none. */
function Requester({ email }: { email: string }) {
  const [name, domain] = email.split('@')
  if (domain === undefined) return email
  return (
    <span className={classes.email}>
      {name}@<wbr />
      {domain}
    </span>
  )
}
