import { WEB_CHECKOUT_COLUMNS, type WebCheckout, webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = ['number', 'isActive', ...WEB_CHECKOUT_COLUMNS.map(([field]) => field)] as const
export type Checkout = Pick<WebCheckout, (typeof ATTRIBUTES)[number]>

export const checkoutSource = (customerNumber: string) =>
  sourceOf(
    webCheckoutList,
    { customerNumber },
    { key: ['web-licenses', customerNumber, 'checkouts'], attributes: ATTRIBUTES },
  )
