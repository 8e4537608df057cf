import type { ProductTotal, StatementRecord } from '#domain/elastic/statements/statement.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn, idColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { currencyColumn, IN_CURRENCY } from '#web/ui/entitlement/balance-columns.tsx'

const units = (value: string) => formatDecimal(value, 2)

/** Units are exact text where they are shown, and numbers where they are filtered and sorted. */
export type OrderRow = {
  ansysponum: string
  activationid: string
  startdate: string
  enddate: string | null
  balancebeforestart: number
  used: number
  balanceatend: number
  currency: string
  record: StatementRecord
}
export const ORDER_FIELDS = {
  ansysponum: { type: 'text' },
  activationid: { type: 'text' },
  startdate: { type: 'day' },
  enddate: { type: 'day', missingIsFuture: true },
  balancebeforestart: { type: 'number' },
  used: { type: 'number' },
  balanceatend: { type: 'number' },
  currency: { type: 'text' },
} as const satisfies Fields & Partial<Record<keyof OrderRow, unknown>>

export const toOrderRow = (record: StatementRecord): OrderRow => ({
  ansysponum: record.purchaseOrder,
  activationid: record.activationId,
  startdate: record.startDate,
  enddate: record.endDate,
  balancebeforestart: Number(record.balanceBefore),
  used: Number(record.used),
  balanceatend: Number(record.balanceAfter),
  currency: record.currency,
  record,
})

export const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  textColumn('ansysponum', 'Purchase Order', 140, { flexible: { min: 119, max: 320 }, phone: 'first line' }),
  idColumn('activationid', 'Activation ID', 158),
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

export type ProductRow = { product: string; used: number; currency: string; units: string }
export const PRODUCT_FIELDS = {
  product: { type: 'text' },
  used: { type: 'number' },
  currency: { type: 'text' },
} as const satisfies Fields & Partial<Record<keyof ProductRow, unknown>>

export const toProductRow = ({ product, used, currency }: ProductTotal): ProductRow => ({
  product,
  used: Number(used),
  currency,
  units: used,
})

export const PRODUCT_COLUMNS: readonly Column<ProductRow>[] = [
  textColumn('product', 'Product', 280, { flexible: { min: 200, max: 560 }, phone: 'first line' }),
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
