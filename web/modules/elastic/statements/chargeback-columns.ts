import type { ChargebackTableRow } from '#contract/elastic/statements/chargeback.ts'
import { CHARGEBACK_LABELS, type ChargebackDimension } from '#domain/elastic/statements/chargeback.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { type Compared, withChange } from '#web/modules/elastic/statements/statement-columns.ts'
import { currencyColumn, IN_CURRENCY } from '#web/parts/entitlement/balance-columns.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, countColumn, textColumn } from '#web/table/columns/column-kinds.ts'

const columnsBy = (by: ChargebackDimension) => withChange(ownColumns(by), (row) => row.exact.used)

const ownColumns = (by: ChargebackDimension): readonly Column<ChargebackTableRow>[] => [
  textColumn('name', CHARGEBACK_LABELS[by], 280, { flexible: { min: 200 }, phone: 'first line' }),
  amountColumn('used', 'Used', 120, {
    ...IN_CURRENCY,
    phone: 'second line',
    text: (row) => formatDecimal(row.exact.used, 2),
  }),
  countColumn('share', 'Share', 96, {
    phone: 'second line',
    text: (row) => (row.exact.share === null ? '' : `${row.exact.share} %`),
  }),
  amountColumn('hours', 'Hours', 110, { text: (row) => formatDecimal(row.exact.hours, 2) }),
  countColumn('transactions', 'Transactions', 120),
  currencyColumn(96),
]

/** One constant function per dimension, because a new array would render the table again. */
export const CHARGEBACK_COLUMNS: Readonly<
  Record<ChargebackDimension, (isComparing: boolean) => readonly Column<Compared<ChargebackTableRow>>[]>
> = {
  project: columnsBy('project'),
  user: columnsBy('user'),
  host: columnsBy('host'),
  product: columnsBy('product'),
  department: columnsBy('department'),
  costCenter: columnsBy('costCenter'),
}
