import { WEB_CHECKOUT_COLUMNS, webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { timeText } from '#web/lib/format.ts'
import type { Checkout } from '#web/modules/web-licenses/checkouts/checkouts.api.ts'
import { listColumns } from '#web/table/columns/list-columns.ts'

type CheckoutColumn = (typeof WEB_CHECKOUT_COLUMNS)[number][0]

export const CHECKOUT_COLUMNS = listColumns<Checkout, CheckoutColumn>(webCheckoutList, WEB_CHECKOUT_COLUMNS, {
  startTime: { isSticky: true, phone: 'second line' },
  endTime: { text: (row) => (row.isActive ? 'Active' : timeText(row.endTime)) },
  product: { width: 230, flexible: { min: 200 }, phone: 'first line' },
  licenseModel: { width: 108, filter: { kind: 'text', hasValues: Object.values(WEB_LICENSE_MODELS) } },
  hours: { phone: 'first line' },
  email: { width: 218, phone: 'second line' },
  name: { width: 130 },
  host: { width: 120 },
  status: { width: 122 },
  version: { width: 90 },
  externalIp: { width: 140 },
  activationId: { width: 144, kind: 'id', filter: 'text', isHidden: true },
  checkoutId: { width: 144, kind: 'id', filter: 'text' },
})
