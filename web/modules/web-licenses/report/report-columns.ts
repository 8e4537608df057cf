import type { WebDenial } from '#contract/web-licenses/web-checkout-lists.ts'
import type { WireWebReport } from '#contract/web-licenses/web-report.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { CHECKOUT_REFUSAL_LABELS } from '#domain/web-licenses/checkout.ts'
import { amountText, timeText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn } from '#web/table/columns/count-column.ts'

const flexible = { min: 200, max: 520 } as const

const HOURS: Column<{ hours: number }> = {
  id: 'hours',
  header: 'Hours',
  width: 104,
  kind: 'number',
  filter: 'number',
  phone: 'second line',
  text: (row) => amountText(row.hours),
}

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
  {
    id: 'product',
    header: 'Product',
    width: 260,
    flexible,
    filter: 'text',
    phone: 'first line',
    text: (row) => row.product,
  },
  countColumn('limit', 'Seats', 84),
  countColumn('peak', 'Peak', 84, { phone: 'second line' }),
  {
    id: 'peakDay',
    header: 'Peak Day',
    width: 112,
    kind: 'date',
    filter: 'day',
    text: (row) => row.peakDay ?? 'No checkouts',
  },
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
  { id: 'email', header: 'User', width: 260, flexible, filter: 'text', phone: 'first line', text: (row) => row.email },
  { id: 'name', header: 'Name', width: 190, filter: 'text', text: (row) => row.name },
  countColumn('products', 'Products', 96),
  countColumn('checkouts', 'Checkouts', 104),
  HOURS,
  countColumn('denials', 'Denials', 92, { phone: 'second line' }),
]

export const DENIAL_COLUMNS: readonly Column<WebDenial>[] = [
  {
    id: 'time',
    header: 'Time',
    width: 152,
    kind: 'date',
    filter: 'time',
    phone: 'second line',
    text: (row) => timeText(row.time),
  },
  {
    id: 'reasonText',
    header: 'Reason',
    width: 180,
    filter: { kind: 'text', hasValues: Object.values(CHECKOUT_REFUSAL_LABELS) },
    phone: 'first line',
    text: (row) => row.reasonText,
  },
  {
    id: 'product',
    header: 'Product',
    width: 220,
    flexible: { min: 164, max: 520 },
    filter: { kind: 'text', hasValues: true },
    text: (row) => row.product,
  },
  { id: 'email', header: 'User', width: 226, filter: 'text', phone: 'second line', text: (row) => row.email },
  { id: 'host', header: 'Hostname', width: 110, filter: 'text', text: (row) => row.host },
  { id: 'version', header: 'Version', width: 90, filter: 'text', text: (row) => row.version },
]
