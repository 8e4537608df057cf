import { type SqlBool, sql } from 'kysely'
import { webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { CHECKOUT_REFUSAL_LABELS } from '#domain/web-licenses/checkout.ts'
import { listSource, theCustomer } from '#server/lists/list-source.ts'
import { licenseModelOf, type WebScope } from '#server/modules/web-licenses/web-licenses.list.ts'

export const webCheckoutSource = listSource(webCheckoutList, {
  columns: {
    number: 'c.checkout_number',
    startTime: 'c.started_at',
    endTime: { column: 'c.ends_at', missingIsInfinity: true },
    product: 'c.product',
    licenseModel: licenseModelOf('c.kind'),
    hours: 'c.hours',
    email: 'c.email',
    name: `coalesce((select p.name from web_user p where p.customer_number = the.customer and p.email = c.email), '')`,
    host: 'c.host',
    status: 'c.status',
    version: 'c.product_version',
    externalIp: 'c.external_ip',
    activationId: 'c.activation_id',
    checkoutId: 'c.checkout_id',
    isActive: "c.ends_at = 'infinity'",
  },
  prepares: ['startTime', 'endTime', 'isActive'],
  from: (scope: WebScope) => sql`web_checkout c cross join ${theCustomer(scope)}`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`c.customer_number = ${customerNumber}`,
})

const refusals = Object.entries(CHECKOUT_REFUSAL_LABELS).map(([reason, label]) => `when '${reason}' then '${label}'`)

export const webDenialSource = listSource(webDenialList, {
  columns: {
    id: 'd.id',
    time: 'd.denied_at',
    reason: 'd.reason',
    reasonText: `case d.reason ${refusals.join(' ')} else d.reason end`,
    product: 'd.product',
    email: 'd.email',
    host: 'd.host',
    version: 'd.product_version',
    externalIp: 'd.external_ip',
  },
  from: sql`web_denial d`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`d.customer_number = ${customerNumber}`,
})
