import type { OrderRow, ProductRow } from '#contract/elastic/statements/statement-rows.ts'
import { changeText } from '#domain/elastic/statements/usage-change.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { currencyColumn, IN_CURRENCY } from '#web/parts/entitlement/balance-columns.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn, idColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'

const units = (value: string) => formatDecimal(value, 2)

/** A row beside what it used in the period before; undefined while that is not known or not asked for. */
export type Compared<Row> = Row & { readonly before?: string | undefined }

/** The column that compares; not offered while nothing is compared. */
export function withChange<Row>(
  columns: readonly Column<Row>[],
  usedOf: (row: Row) => string,
): (isComparing: boolean) => readonly Column<Compared<Row>>[] {
  const change: Column<Compared<Row>> = {
    id: 'change',
    header: 'Change',
    width: 120,
    align: 'right',
    isSortable: false,
    phone: 'third line',
    text: (row) => (row.before === undefined ? '' : changeText(usedOf(row), row.before)),
  }
  const at = columns.findIndex(({ id }) => id === 'used') + 1
  const [off, on] = [true, false].map((isAbsent) => columns.toSpliced(at, 0, { ...change, isAbsent } as Column<Row>))
  // One constant array for each answer, because a new array would render the table again.
  return (isComparing) => (isComparing ? on : off) as readonly Column<Compared<Row>>[]
}

const ORDERS: readonly Column<OrderRow>[] = [
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

/** Rows beside those of the period before: what is missing there was not used. */
export function withBefore<Row>(
  rows: readonly Row[],
  before: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  usedOf: (row: Row) => string,
): Compared<Row>[] {
  const used = before && new Map(before.map((row) => [keyOf(row), usedOf(row)]))
  return rows.map((row) => ({ ...row, before: used && (used.get(keyOf(row)) ?? '0') }))
}

export const orderColumns = withChange(ORDERS, (row) => row.record.used)

const PRODUCTS: readonly Column<ProductRow>[] = [
  textColumn('product', 'Product', 280, { flexible: { min: 200 }, phone: 'first line' }),
  amountColumn('used', 'Used', 120, { ...IN_CURRENCY, phone: 'second line', text: (row) => units(row.units) }),
  currencyColumn(96),
]

export const productColumns = withChange(PRODUCTS, (row) => row.units)

/** The order of products, and of what is charged back, in each currency. */
export const MOST_USED_FIRST = [{ column: 'used', direction: 'desc' }] as const

/** What was used of one entitlement: nothing to filter. */
export const DETAIL_COLUMNS = withoutFilters(PRODUCTS)
