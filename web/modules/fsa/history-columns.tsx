import type { HistoryRow } from '#contract/fsa/history-list.ts'
import { currencyColumn, IN_CURRENCY } from '#web/parts/entitlement/balance-columns.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import type { Column } from '#web/table/columns/column.ts'
import {
  amountColumn,
  countColumn,
  dayColumn,
  idColumn,
  textColumn,
  timeColumn,
} from '#web/table/columns/column-kinds.ts'

export const orderedEntitlement = (row: { ansysproduct: string; entitlementId: string }) => ({
  product: row.ansysproduct,
  activationId: row.entitlementId,
  idName: 'entitlement ID',
})

/** Fits a window of 1440 pixels with an open menu. */
export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  entitlementColumn({ id: 'ansysproduct', width: 144, flexible: { min: 144 } }, orderedEntitlement),
  idColumn('fsaId', 'FSA Contract', 126),
  timeColumn('orderdate', 'Order Date', 155, { phone: 'second line' }),
  countColumn('count', 'Count', 62),
  dayColumn('startdate', 'Start Date', 98),
  dayColumn('enddate', 'Expiration Date', 120),
  amountColumn('cost', 'Cost', 84, { ...IN_CURRENCY, phone: 'first line' }),
  currencyColumn(76),
  textColumn('requester', 'Requester', 150),
]
