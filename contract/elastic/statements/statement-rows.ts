import type { ProductTotal, StatementRecord } from '#domain/elastic/statements/statement.ts'
import type { Fields } from '#domain/filter/fields.ts'

/**
 * The rows of the two tables of a statement. The browser filters and sorts them by these fields, and the server does the
 * same for an export. Units are exact text where they are shown, and numbers where they are filtered and sorted.
 */
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
