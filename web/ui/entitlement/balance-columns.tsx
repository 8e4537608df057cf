import type { BalanceRow } from '#contract/entitlements/balance-row.ts'
import { amountText } from '#web/lib/format.ts'
import { type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'
import { remainingDays, remainingText } from '#web/ui/entitlement/remaining-days.tsx'
import { remainingProblem } from '#web/ui/entitlement/remaining-filter.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

/* Columns of what is used up bit by bit, and of what is bought from it. */

export const REMAINING_DAYS: Column<BalanceRow> = {
  id: 'remainingdays',
  header: 'Remaining Days',
  width: 84,
  filter: { kind: 'text', problemOf: remainingProblem },
  text: remainingText,
  cell: (row) => remainingDays(row, { isStacked: true }),
}

export const USED_PERCENTAGE: Column<BalanceRow> = {
  id: 'usedpercentage',
  header: 'Used Percentage',
  width: 92,
  filter: 'number',
  text: (row) => `${row.usedpercentage} %`,
  cell: (row) => (
    <ProgressBar percent={row.usedpercentage} color={row.usedpercentagecolor} isStacked>
      {row.usedpercentage} %
    </ProgressBar>
  ),
}

export function amountColumn<Id extends string>(id: Id, header: string, width: number): Column<Record<Id, number>> {
  return {
    id,
    header,
    width,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    text: (row) => amountText(row[id]),
  }
}

export const CURRENCY: Column<{ readonly currency: string }> = {
  id: 'currency',
  header: 'Currency',
  width: 76,
  filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
  text: (row) => row.currency,
}
