import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { currenciesByUse } from '#domain/elastic/statements/currencies-by-use.ts'
import { add, compare, subtract, sum } from '#domain/money/decimal.ts'

/** An elastic entitlement with what was booked on it until the end of a period. Units are exact decimals. */
export type StatedEntitlement = {
  readonly purchaseOrder: string
  readonly activationId: string
  readonly startDate: CalendarDay
  readonly endDate: CalendarDay | null
  readonly currency: string
  readonly total: string
  /** False for one that the entitlement screens do not list any more: only its usage brings it into a statement. */
  readonly isListed: boolean
  /** Charges that ended before the period. */
  readonly usedBefore: string
  /** What was charged in the period for each product that was used. */
  readonly products: readonly ProductUse[]
}
export type ProductUse = { readonly product: string; readonly used: string }
export type ProductTotal = ProductUse & { readonly currency: string }

/** `balanceBefore − used = balanceAfter`, and the products add up to `used`, to the last cent. */
export type StatementRecord = Omit<StatedEntitlement, 'total' | 'isListed' | 'usedBefore'> & {
  readonly balanceBefore: string
  readonly used: string
  readonly balanceAfter: string
}
export type Statement<Record extends StatementRecord = StatementRecord> = {
  readonly records: readonly Record[]
  /** Over all records, for each product and currency, the most used currency and product first. */
  readonly products: readonly ProductTotal[]
}

export const NO_ENTITLEMENTS = 'No active entitlements for account'

/** Usage counts on the day on which its session ended. A record has dates in the period, or usage. */
export function createStatement(period: DayRange, entitlements: readonly StatedEntitlement[]): Statement {
  return toStatement(entitlements.filter((one) => isStated(period, one)).map(toRecord))
}

export function toStatement<Record extends StatementRecord>(unsorted: readonly Record[]): Statement<Record> {
  const records = unsorted.toSorted(byPurchaseOrder)
  return { records, products: productTotals(records) }
}

export function isStated(
  { from, to }: DayRange,
  { isListed, startDate, endDate, products }: StatedEntitlement,
): boolean {
  return products.length > 0 || (isListed && startDate <= to && (endDate === null || endDate >= from))
}

export function toRecord(entitlement: StatedEntitlement): StatementRecord {
  const { purchaseOrder, activationId, startDate, endDate, currency, total, usedBefore, products } = entitlement
  const used = sum(products.map((product) => product.used))
  // An entitlement that starts inside the period has a balance before it as well: its whole amount.
  const balanceBefore = subtract(total, usedBefore)
  return {
    purchaseOrder,
    activationId,
    startDate,
    endDate,
    currency,
    products: [...products].sort(byUse),
    balanceBefore,
    used,
    balanceAfter: subtract(balanceBefore, used),
  }
}

function productTotals(records: readonly StatementRecord[]): ProductTotal[] {
  const totals = new Map<string, ProductTotal>()
  for (const { currency, products } of records)
    for (const { product, used } of products) {
      const key = JSON.stringify([currency, product])
      totals.set(key, { product, currency, used: add(totals.get(key)?.used ?? '0', used) })
    }
  const all = [...totals.values()].sort(byUse)
  return currenciesByUse(all).flatMap((currency) => all.filter((total) => total.currency === currency))
}

/** The part of a statement in one currency. Units of different currencies are not comparable. */
export type CurrencyPart = {
  readonly currency: string
  readonly balanceBefore: string
  readonly used: string
  readonly balanceAfter: string
  readonly purchaseOrders: readonly { readonly label: string; readonly value: string }[]
  readonly products: readonly { readonly label: string; readonly value: string }[]
}

/** What the parts of the pies are called, one and several. */
export const PIE_PARTS = {
  purchaseOrders: ['purchase order', 'purchase orders'],
  products: ['product', 'products'],
} as const

/** The totals and the pies of a statement, one of each for every currency, the most used one first. */
export function partsByCurrency({ records, products }: Statement): CurrencyPart[] {
  return currenciesByUse([...records, ...products]).map((currency) => {
    const own = records.filter((record) => record.currency === currency)
    const byOrder = new Map<string, string>()
    for (const record of own) {
      const label = orderLabel(record)
      byOrder.set(label, add(byOrder.get(label) ?? '0', record.used))
    }
    return {
      currency,
      balanceBefore: sum(own.map((record) => record.balanceBefore)),
      used: sum(own.map((record) => record.used)),
      balanceAfter: sum(own.map((record) => record.balanceAfter)),
      purchaseOrders: [...byOrder].map(([label, value]) => ({ label, value })),
      products: products
        .filter((product) => product.currency === currency)
        .map(({ product, used }) => ({ label: product, value: used })),
    }
  })
}

/** Units bought without a purchase order are labeled with their activation id. */
const orderLabel = ({ purchaseOrder, activationId }: StatementRecord) => purchaseOrder || activationId

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const byUse = (one: ProductUse, other: ProductUse) =>
  compare(other.used, one.used) || byText(one.product, other.product)
const byPurchaseOrder = (one: StatementRecord, other: StatementRecord) =>
  byText(one.purchaseOrder, other.purchaseOrder) ||
  byText(one.startDate, other.startDate) ||
  byText(one.activationId, other.activationId)
