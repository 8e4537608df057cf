import type { ElasticRow } from '#contract/elastic/elastic-row.ts'
import { amountText } from '#web/lib/figures.ts'
import { EntitlementCell } from '#web/modules/entitlements/entitlement-cell.tsx'
import { RemainingDays, remainingText } from '#web/modules/entitlements/remaining-days.tsx'
import { tenthsText, unitsText } from '#web/modules/entitlements/units-text.ts'
import { CONTAINS_OR_EQUALS, type Column, EQUALS_ONLY } from '#web/ui/grid/model/column.ts'
import { ProgressBar } from '#web/ui/progress-bars/progress-bar.tsx'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const

export const ELASTIC_COLUMNS: readonly Column<ElasticRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 184,
    filter: text,
    isSticky: true,
    text: (row) => `${row.ansysproduct} ${row.activationid}`,
    cell: (row) => <EntitlementCell product={row.ansysproduct} activationId={row.activationid} />,
  },
  { id: 'startdate', header: 'Start Date', width: 108, filter: text, text: (row) => row.startdate },
  { id: 'enddate', header: 'Expiration Date', width: 136, filter: text, text: (row) => row.enddate ?? '' },
  {
    id: 'remainingdays',
    header: 'Remaining Days',
    width: 150,
    filter: text,
    text: remainingText,
    cell: (row) => <RemainingDays row={row} />,
  },
  {
    id: 'usedpercentage',
    header: 'Used Percentage',
    width: 130,
    filter: number,
    text: (row) => `${row.usedpercentage} %`,
    cell: (row) => (
      <ProgressBar percent={row.usedpercentage} color={row.usedpercentagecolor}>
        {row.usedpercentage} %
      </ProgressBar>
    ),
  },
  { id: 'used', header: 'Used', width: 94, align: 'right', filter: number, text: (row) => amountText(row.used) },
  {
    id: 'remaining',
    header: 'Remaining',
    width: 94,
    align: 'right',
    filter: number,
    text: (row) => tenthsText(row.remaining),
  },
  {
    id: 'quantity',
    header: 'Total',
    width: 88,
    align: 'right',
    filter: number,
    text: (row) => unitsText(row.quantity),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 88,
    filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
    text: (row) => row.currency,
  },
  {
    id: 'ansysponum',
    header: 'Purchase Order',
    width: 140,
    filter: text,
    isHidden: true,
    text: (row) => row.ansysponum,
  },
  {
    id: 'ansysratetableversion',
    header: 'Rate Table',
    width: 110,
    filter: text,
    isHidden: true,
    text: (row) => row.ansysratetableversion,
  },
]
