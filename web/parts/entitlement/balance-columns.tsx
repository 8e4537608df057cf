import type { BalanceRow } from '#contract/entitlements/balance-row.ts'
import { remainingDays, remainingText } from '#web/parts/entitlement/remaining-days.tsx'
import { remainingProblem } from '#web/parts/entitlement/remaining-filter.ts'
import { type Column, WHOLE_VALUES } from '#web/table/columns/column.ts'
import { textColumn } from '#web/table/columns/column-kinds.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

/* Columns of what is used up bit by bit, and of what is bought from it. */

/** For columns of amounts: a phone shows the currency after the amount. */
export const IN_CURRENCY = { currency: 'currency' } as const

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

export const currencyColumn = (width: number): Column<{ readonly currency: string }> =>
  textColumn('currency', 'Currency', width, { filter: WHOLE_VALUES })
