import type { ProductTotal, StatementRecord } from '#domain/elastic/statements/statement.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'

const currency = { kind: 'text', methods: EQUALS_ONLY, hasValues: true } as const
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
  {
    id: 'ansysponum',
    header: 'Purchase Order',
    width: 140,
    flexible: { min: 119, max: 320 },
    filter: 'text',
    phone: 'first line',
    text: (row) => row.ansysponum,
  },
  {
    id: 'activationid',
    header: 'Activation ID',
    width: 158,
    kind: 'id',
    filter: 'text',
    text: (row) => row.activationid,
  },
  { id: 'startdate', header: 'Start Date', width: 102, kind: 'date', filter: 'day', text: (row) => row.startdate },
  { id: 'enddate', header: 'End Date', width: 102, kind: 'date', filter: 'day', text: (row) => row.enddate ?? '' },
  {
    id: 'balancebeforestart',
    header: 'Balance Before Start',
    width: 98,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    text: (row) => units(row.record.balanceBefore),
  },
  {
    id: 'used',
    header: 'Used',
    width: 86,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    phone: 'second line',
    text: (row) => units(row.record.used),
  },
  {
    id: 'balanceatend',
    header: 'Balance At End',
    width: 98,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    phone: 'third line',
    text: (row) => units(row.record.balanceAfter),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 78,
    filter: currency,
    text: (row) => row.currency,
  },
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
  {
    id: 'product',
    header: 'Product',
    width: 280,
    flexible: { min: 200, max: 560 },
    filter: 'text',
    phone: 'first line',
    text: (row) => row.product,
  },
  {
    id: 'used',
    header: 'Used',
    width: 120,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    phone: 'second line',
    text: (row) => units(row.units),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 96,
    filter: currency,
    text: (row) => row.currency,
  },
]

/** The order of products, and of what is charged back. */
export const MOST_USED_FIRST = [
  { column: 'currency', direction: 'asc' },
  { column: 'used', direction: 'desc' },
] as const

/** What was used of one entitlement: nothing to filter. */
export const DETAIL_COLUMNS: readonly Column<ProductRow>[] = PRODUCT_COLUMNS.map(({ filter: _, ...column }) => column)
