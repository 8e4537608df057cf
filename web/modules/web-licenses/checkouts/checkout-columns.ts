import { WEB_CHECKOUT_COLUMNS } from '#contract/web-licenses/web-checkout-lists.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { amountText, timeText } from '#web/lib/format.ts'
import type { Checkout } from '#web/modules/web-licenses/checkouts/checkouts.api.ts'
import { type Column, VALUES } from '#web/table/columns/column.ts'

type CheckoutColumn = (typeof WEB_CHECKOUT_COLUMNS)[number][0]
type Look = Omit<Column<Checkout>, 'id' | 'header'>

const LOOKS: Record<CheckoutColumn, Look> = {
  startTime: {
    width: 172,
    kind: 'date',
    filter: 'time',
    isSticky: true,
    phone: 'second line',
    text: (row) => timeText(row.startTime),
  },
  endTime: {
    width: 172,
    kind: 'date',
    filter: 'time',
    text: (row) => (row.isActive ? 'Active' : timeText(row.endTime)),
  },
  product: {
    width: 230,
    flexible: { min: 200, max: 360 },
    filter: VALUES,
    phone: 'first line',
    text: (row) => row.product,
  },
  licenseModel: {
    width: 128,
    filter: { kind: 'text', hasValues: Object.values(WEB_LICENSE_MODELS) },
    text: (row) => row.licenseModel,
  },
  hours: {
    width: 92,
    kind: 'number',
    filter: 'number',
    phone: 'first line',
    text: (row) => amountText(row.hours),
  },
  email: { width: 240, filter: VALUES, phone: 'second line', text: (row) => row.email },
  name: { width: 170, filter: VALUES, text: (row) => row.name },
  host: { width: 140, filter: VALUES, text: (row) => row.host },
  status: { width: 122, filter: VALUES, text: (row) => row.status },
  version: { width: 110, filter: VALUES, text: (row) => row.version },
  externalIp: { width: 140, filter: VALUES, text: (row) => row.externalIp ?? '' },
  activationId: { width: 210, kind: 'id', filter: 'text', isHidden: true, text: (row) => row.activationId },
  checkoutId: { width: 210, kind: 'id', filter: 'text', text: (row) => row.checkoutId },
}

export const CHECKOUT_COLUMNS: readonly Column<Checkout>[] = WEB_CHECKOUT_COLUMNS.map(([column, header]) => ({
  id: column,
  header,
  ...LOOKS[column],
}))
