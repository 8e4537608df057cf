import { WEB_CHECKOUT_COLUMNS, type WebCheckout, webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { fetchFile } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = ['number', 'isActive', ...WEB_CHECKOUT_COLUMNS.map(([field]) => field)] as const
export type Checkout = Pick<WebCheckout, (typeof ATTRIBUTES)[number]>

export const checkoutSource = (customerNumber: string) =>
  sourceOf(
    webCheckoutList,
    { customerNumber },
    { key: ['web-licenses', customerNumber, 'checkouts'], attributes: ATTRIBUTES },
  )

export function fetchCheckoutsCsv(customerNumber: string, filter: FilterInput): Promise<Blob> {
  return fetchFile('web/checkouts/export', { body: { customerNumber, filter } })
}
