import type { ChargebackTableRow } from '#contract/elastic/statements/chargeback.ts'
import { CHARGEBACK_LABELS, type ChargebackDimension } from '#domain/elastic/statements/chargeback.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { countText } from '#web/lib/format.ts'
import { type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'

const currency = { kind: 'text', methods: EQUALS_ONLY, hasValues: true } as const

const columnsBy = (by: ChargebackDimension): readonly Column<ChargebackTableRow>[] => [
  {
    id: 'name',
    header: CHARGEBACK_LABELS[by],
    width: 280,
    flexible: { min: 200, max: 560 },
    filter: 'text',
    phone: 'first line',
    text: (row) => row.name,
  },
  {
    id: 'used',
    header: 'Used',
    width: 120,
    kind: 'number',
    currency: 'currency',
    filter: 'number',
    phone: 'second line',
    text: (row) => formatDecimal(row.exact.used, 2),
  },
  {
    id: 'share',
    header: 'Share',
    width: 96,
    kind: 'number',
    filter: 'number',
    phone: 'second line',
    text: (row) => (row.exact.share === null ? '' : `${row.exact.share} %`),
  },
  {
    id: 'hours',
    header: 'Hours',
    width: 110,
    kind: 'number',
    filter: 'number',
    text: (row) => formatDecimal(row.exact.hours, 2),
  },
  {
    id: 'transactions',
    header: 'Transactions',
    width: 120,
    kind: 'number',
    filter: 'number',
    text: (row) => countText(row.transactions),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 96,
    filter: currency,
    text: (row) => row.currency,
  },
]

/** One list of columns for each dimension: their identity counts. */
export const CHARGEBACK_COLUMNS: Readonly<Record<ChargebackDimension, readonly Column<ChargebackTableRow>[]>> = {
  project: columnsBy('project'),
  user: columnsBy('user'),
  host: columnsBy('host'),
  product: columnsBy('product'),
}
