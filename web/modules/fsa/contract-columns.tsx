import type { ContractRow } from '#contract/fsa/contract-row.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, CURRENCY, REMAINING_DAYS, USED_PERCENTAGE } from '#web/ui/entitlement/balance-columns.tsx'
import { entitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'

/** Narrow enough for a window of 1280 pixels beside the open menu. */
export const CONTRACT_COLUMNS: readonly Column<ContractRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 144,
    flexible: { min: 144, max: 480 },
    filter: 'text',
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.entitlementId}`,
    cell: (row) =>
      entitlementCell({
        product: row.ansysproduct,
        activationId: row.entitlementId,
        idName: 'entitlement ID',
        isWrapping: true,
      }),
  },
  { id: 'startdate', header: 'Start Date', width: 98, kind: 'date', filter: 'day', text: (row) => row.startdate },
  { id: 'enddate', header: 'Expiration Date', width: 100, kind: 'date', filter: 'day', text: (row) => row.enddate },
  REMAINING_DAYS,
  amountColumn('quantity', 'Total', 90),
  { ...amountColumn('remaining', 'Remaining', 90), phone: 'second line' },
  CURRENCY,
  USED_PERCENTAGE,
]
