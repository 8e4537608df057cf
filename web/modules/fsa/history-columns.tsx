import type { HistoryRow } from '#contract/fsa/history-list.ts'
import { currencyColumn, IN_CURRENCY } from '#web/parts/entitlement/balance-columns.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import { instantCell, personCell } from '#web/parts/entitlement/two-lines.tsx'
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

/** Fits a window of 1280 pixels with an open menu. */
export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  entitlementColumn({ id: 'ansysproduct', width: 200, flexible: { min: 160 } }, orderedEntitlement),
  idColumn('fsaId', 'FSA Contract', 136),
  timeColumn('orderdate', 'Order Date', 96, {
    phone: 'second line',
    cell: ({ orderdate }) => instantCell(orderdate),
  }),
  countColumn('count', 'Count', 58),
  dayColumn('startdate', 'Start Date', 92),
  dayColumn('enddate', 'Expiration Date', 92),
  amountColumn('cost', 'Cost', 84, { ...IN_CURRENCY, phone: 'first line' }),
  currencyColumn(72),
  textColumn('requester', 'Requester', 136, { cell: ({ requester }) => personCell(requester) }),
]
