import type { ElasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { runOutText, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { amountText, unitsText } from '#web/lib/format.ts'
import {
  currencyColumn,
  IN_CURRENCY,
  REMAINING_DAYS,
  USED_PERCENTAGE,
} from '#web/parts/entitlement/balance-columns.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn, textColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './balances.module.css'

/** Empty while the forecast is loading, and for terms that are over. */
function usualRunOut({ runouts }: ElasticRow): string {
  const usual = runouts.find(({ window }) => window === USUAL_WINDOW)
  return usual ? runOutText(usual.runOut) : ''
}

/** "42 % · 41,800 of 100,000" */
const usedText = ({ usedpercentage, used, quantity }: Pick<ElasticRow, 'usedpercentage' | 'used' | 'quantity'>) =>
  `${usedpercentage} % · ${unitsText(used)} of ${unitsText(quantity)}`

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

/** Everything is visible in a window of 1280 pixels with an open menu. Hidden columns are among the details of a row. */
export const ELASTIC_COLUMNS: readonly Column<ElasticRow>[] = [
  entitlementColumn({ id: 'ansysproduct', width: 144, flexible: { min: 144 } }, (row) => ({
    product: row.ansysproduct,
    name: row.ansysponum,
    activationId: row.activationid,
  })),
  dayColumn('enddate', 'Expiration Date', 124, { phone: 'second line' }),
  REMAINING_DAYS,
  {
    ...USED_PERCENTAGE,
    width: 210,
    phone: 'second line',
    text: usedText,
    cell: (row) => (
      <ProgressBar percent={row.usedpercentage} color={row.usedpercentagecolor} isStacked>
        {usedText(row)}
      </ProgressBar>
    ),
  },
  amountColumn('remaining', 'Remaining', 104, {
    ...IN_CURRENCY,
    phone: 'second line',
    text: (row) => [amountText(row.remaining), overdrawnText(row)].filter(Boolean).join(' '),
    cell: (row) => <Remaining row={row} />,
  }),
  currencyColumn(78),
  { id: 'usedupon', header: 'Runs Out On', width: 96, kind: 'date', filter: 'day', text: usualRunOut },
  amountColumn('used', 'Used', 82, { ...IN_CURRENCY, isHidden: true }),
  amountColumn('quantity', 'Total', 82, { ...IN_CURRENCY, isHidden: true }),
  textColumn('ansysponum', 'Purchase Order', 130, { isHidden: true }),
  dayColumn('startdate', 'Start Date', 96, { isHidden: true }),
  valuesColumn('ansysratetableversion', 'Rate Table', 110, { isHidden: true }),
]
