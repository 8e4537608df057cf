import type { ContractRow } from '#contract/fsa/contract-row.ts'
import { amountText } from '#web/lib/format.ts'
import { CONTAINS_OR_EQUALS, type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'
import { EntitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'
import { RemainingDays, remainingText } from '#web/ui/entitlement/remaining-days.tsx'
import { remainingProblem } from '#web/ui/entitlement/remaining-filter.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const
const day = { kind: 'day' } as const

/** Narrow enough for a window of 1280 pixels beside the open menu. */
export const CONTRACT_COLUMNS: readonly Column<ContractRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 144,
    flexible: { min: 144, max: 480 },
    filter: text,
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.entitlementId}`,
    cell: (row) => (
      <EntitlementCell product={row.ansysproduct} activationId={row.entitlementId} idName="entitlement ID" isWrapping />
    ),
  },
  { id: 'startdate', header: 'Start Date', width: 98, kind: 'date', filter: day, text: (row) => row.startdate },
  { id: 'enddate', header: 'Expiration Date', width: 100, kind: 'date', filter: day, text: (row) => row.enddate },
  {
    id: 'remainingdays',
    header: 'Remaining Days',
    width: 84,
    filter: { ...text, problemOf: remainingProblem },
    text: remainingText,
    cell: (row) => <RemainingDays row={row} isStacked />,
  },
  {
    id: 'quantity',
    header: 'Total',
    width: 90,
    kind: 'number',
    currency: 'currency',
    filter: number,
    text: (row) => amountText(row.quantity),
  },
  {
    id: 'remaining',
    header: 'Remaining',
    width: 90,
    kind: 'number',
    currency: 'currency',
    filter: number,
    phone: 'second line',
    text: (row) => amountText(row.remaining),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 76,
    filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
    text: (row) => row.currency,
  },
  {
    id: 'usedpercentage',
    header: 'Used Percentage',
    width: 92,
    filter: number,
    text: (row) => `${row.usedpercentage} %`,
    cell: (row) => (
      <ProgressBar percent={row.usedpercentage} color={row.usedpercentagecolor} isStacked>
        {row.usedpercentage} %
      </ProgressBar>
    ),
  },
]
