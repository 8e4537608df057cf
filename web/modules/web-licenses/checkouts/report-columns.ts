import type { WebDenial } from '#contract/web-licenses/web-checkout-lists.ts'
import type { WireWebReport } from '#contract/web-licenses/web-report.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { CHECKOUT_REFUSAL_LABELS } from '#domain/web-licenses/checkout.ts'
import type { Column } from '#web/table/columns/column.ts'
import {
  amountColumn,
  countColumn,
  dayColumn,
  textColumn,
  timeColumn,
  valuesColumn,
} from '#web/table/columns/column-kinds.ts'

const flexible = { min: 200 } as const

const HOURS: Column<{ hours: number }> = amountColumn('hours', 'Hours', 104, { phone: 'second line' })

export type ProductRow = WireWebReport['products'][number]
export const PRODUCT_FIELDS = {
  product: { type: 'text' },
  limit: { type: 'number' },
  peak: { type: 'number' },
  peakDay: { type: 'day' },
  checkouts: { type: 'number' },
  users: { type: 'number' },
  hours: { type: 'number' },
  denials: { type: 'number' },
} as const satisfies Fields

export const PRODUCT_COLUMNS: readonly Column<ProductRow>[] = [
  textColumn('product', 'Product', 260, { flexible, phone: 'first line' }),
  countColumn('limit', 'Seats', 84),
  countColumn('peak', 'Peak', 84, { phone: 'second line' }),
  dayColumn('peakDay', 'Peak Day', 112, { text: (row) => row.peakDay ?? 'No checkouts' }),
  countColumn('checkouts', 'Checkouts', 104),
  countColumn('users', 'Users', 84),
  HOURS,
  countColumn('denials', 'Denials', 92),
]

export type UserRow = WireWebReport['users'][number]
export const USER_FIELDS = {
  email: { type: 'text' },
  name: { type: 'text' },
  products: { type: 'number' },
  checkouts: { type: 'number' },
  hours: { type: 'number' },
  denials: { type: 'number' },
} as const satisfies Fields

export const USER_COLUMNS: readonly Column<UserRow>[] = [
  textColumn('email', 'User', 260, { flexible, phone: 'first line' }),
  textColumn('name', 'Name', 190),
  countColumn('products', 'Products', 96),
  countColumn('checkouts', 'Checkouts', 104),
  HOURS,
  countColumn('denials', 'Denials', 92, { phone: 'second line' }),
]

export const DENIAL_COLUMNS: readonly Column<WebDenial>[] = [
  timeColumn('time', 'Time', 155, { phone: 'second line' }),
  textColumn('reasonText', 'Reason', 150, {
    filter: { kind: 'text', hasValues: Object.values(CHECKOUT_REFUSAL_LABELS) },
    phone: 'first line',
  }),
  valuesColumn('product', 'Product', 220, { flexible: { min: 164 } }),
  textColumn('email', 'User', 226, { phone: 'second line' }),
  textColumn('host', 'Hostname', 100),
  textColumn('version', 'Version', 84),
]
