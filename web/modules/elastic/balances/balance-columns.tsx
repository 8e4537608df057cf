import type { ElasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { runOutText, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { amountText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, CURRENCY, REMAINING_DAYS, USED_PERCENTAGE } from '#web/ui/entitlement/balance-columns.tsx'
import { entitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'
import classes from './balances.module.css'

/** Empty while the forecast is loading, and for terms that are over. */
function usualRunOut({ runouts }: ElasticRow): string {
  const usual = runouts.find(({ window }) => window === USUAL_WINDOW)
  return usual ? runOutText(usual.runOut) : ''
}

const overdrawnText = ({ overdrawn }: ElasticRow) => (overdrawn > 0 ? `Overdrawn by ${amountText(overdrawn)}` : '')

function Remaining({ row }: { row: ElasticRow }) {
  const overdrawn = overdrawnText(row)
  if (!overdrawn) return amountText(row.remaining)
  return (
    <span className={classes.remaining}>
      {amountText(row.remaining)}
      <span className={classes.overdrawn}>{overdrawn}</span>
    </span>
  )
}

/**
 * In a window of 1280 pixels beside the open menu, everything up to "Runs Out On" is in sight. What is hidden is among the
 * details of a row.
 */
export const ELASTIC_COLUMNS: readonly Column<ElasticRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 144,
    flexible: { min: 144, max: 420 },
    filter: 'text',
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.activationid}`,
    cell: (row) => entitlementCell({ product: row.ansysproduct, activationId: row.activationid, isWrapping: true }),
  },
  {
    id: 'enddate',
    header: 'Expiration Date',
    width: 100,
    kind: 'date',
    filter: 'day',
    phone: 'second line',
    text: (row) => row.enddate ?? '',
  },
  REMAINING_DAYS,
  { ...USED_PERCENTAGE, phone: 'second line' },
  amountColumn('used', 'Used', 82),
  {
    id: 'remaining',
    header: 'Remaining',
    width: 104,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    phone: 'second line',
    text: (row) => [amountText(row.remaining), overdrawnText(row)].filter(Boolean).join(' '),
    cell: (row) => <Remaining row={row} />,
  },
  amountColumn('quantity', 'Total', 82),
  { ...CURRENCY, width: 78 },
  {
    id: 'usedupon',
    header: 'Runs Out On',
    width: 96,
    kind: 'date',
    filter: 'day',
    text: usualRunOut,
  },
  {
    id: 'ansysponum',
    header: 'Purchase Order',
    width: 130,
    filter: 'text',
    text: (row) => row.ansysponum,
  },
  {
    id: 'startdate',
    header: 'Start Date',
    width: 96,
    kind: 'date',
    filter: 'day',
    isHidden: true,
    text: (row) => row.startdate,
  },
  {
    id: 'ansysratetableversion',
    header: 'Rate Table',
    width: 110,
    filter: { kind: 'text', hasValues: true },
    isHidden: true,
    text: (row) => row.ansysratetableversion,
  },
]
