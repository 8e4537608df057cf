import type { OrderRow, ProductRow } from '#contract/elastic/statements/statement-rows.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn, idColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { currencyColumn, IN_CURRENCY } from '#web/ui/entitlement/balance-columns.tsx'

const units = (value: string) => formatDecimal(value, 2)

export const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  textColumn('ansysponum', 'Purchase Order', 140, { flexible: { min: 119 }, phone: 'first line' }),
  idColumn('activationid', 'Activation ID', 144),
  dayColumn('startdate', 'Start Date', 102),
  dayColumn('enddate', 'End Date', 102),
  amountColumn('balancebeforestart', 'Balance Before Start', 98, {
    ...IN_CURRENCY,
    text: (row) => units(row.record.balanceBefore),
  }),
  amountColumn('used', 'Used', 86, {
    ...IN_CURRENCY,
    phone: 'second line',
    text: (row) => units(row.record.used),
  }),
  amountColumn('balanceatend', 'Balance At End', 98, {
    ...IN_CURRENCY,
    phone: 'third line',
    text: (row) => units(row.record.balanceAfter),
  }),
  currencyColumn(78),
]

export const PRODUCT_COLUMNS: readonly Column<ProductRow>[] = [
  textColumn('product', 'Product', 280, { flexible: { min: 200 }, phone: 'first line' }),
  amountColumn('used', 'Used', 120, { ...IN_CURRENCY, phone: 'second line', text: (row) => units(row.units) }),
  currencyColumn(96),
]

/** The order of products, and of what is charged back. */
export const MOST_USED_FIRST = [
  { column: 'currency', direction: 'asc' },
  { column: 'used', direction: 'desc' },
] as const

/** What was used of one entitlement: nothing to filter. */
export const DETAIL_COLUMNS = withoutFilters(PRODUCT_COLUMNS)
