import type { ElasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { runOutText, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { amountText } from '#web/lib/format.ts'
import { CONTAINS_OR_EQUALS, type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'
import { EntitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'
import { RemainingDays, remainingText } from '#web/ui/entitlement/remaining-days.tsx'
import { remainingProblem } from '#web/ui/entitlement/remaining-filter.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './entitlements.module.css'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const
const day = { kind: 'day' } as const

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
    <span className={classes.total}>
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
    filter: text,
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.activationid}`,
    cell: (row) => <EntitlementCell product={row.ansysproduct} activationId={row.activationid} isWrapping />,
  },
  {
    id: 'enddate',
    header: 'Expiration Date',
    width: 100,
    kind: 'date',
    filter: day,
    phone: 'second line',
    text: (row) => row.enddate ?? '',
  },
  {
    id: 'remainingdays',
    header: 'Remaining Days',
    width: 84,
    filter: { ...text, problemOf: remainingProblem },
    text: remainingText,
    cell: (row) => <RemainingDays row={row} isStacked />,
  },
  {
    id: 'usedpercentage',
    header: 'Used Percentage',
    width: 92,
    filter: number,
    phone: 'second line',
    text: (row) => `${row.usedpercentage} %`,
    cell: (row) => (
      <ProgressBar percent={row.usedpercentage} color={row.usedpercentagecolor} isStacked>
        {row.usedpercentage} %
      </ProgressBar>
    ),
  },
  {
    id: 'used',
    header: 'Used',
    width: 82,
    kind: 'number',
    currency: 'currency',
    filter: number,
    text: (row) => amountText(row.used),
  },
  {
    id: 'remaining',
    header: 'Remaining',
    width: 104,
    kind: 'number',
    currency: 'currency',
    filter: number,
    phone: 'second line',
    text: (row) => [amountText(row.remaining), overdrawnText(row)].filter(Boolean).join(' '),
    cell: (row) => <Remaining row={row} />,
  },
  {
    id: 'quantity',
    header: 'Total',
    width: 82,
    kind: 'number',
    currency: 'currency',
    filter: number,
    text: (row) => amountText(row.quantity),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 78,
    filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
    text: (row) => row.currency,
  },
  {
    id: 'usedupon',
    header: 'Runs Out On',
    width: 96,
    kind: 'date',
    filter: day,
    text: usualRunOut,
  },
  {
    id: 'ansysponum',
    header: 'Purchase Order',
    width: 130,
    filter: text,
    text: (row) => row.ansysponum,
  },
  {
    id: 'startdate',
    header: 'Start Date',
    width: 96,
    kind: 'date',
    filter: day,
    isHidden: true,
    text: (row) => row.startdate,
  },
  {
    id: 'ansysratetableversion',
    header: 'Rate Table',
    width: 110,
    filter: { ...text, hasValues: true },
    isHidden: true,
    text: (row) => row.ansysratetableversion,
  },
]
