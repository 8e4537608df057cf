import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { count, instant, licenseModel, TEXT, text, webList } from '#contract/web-licenses/web-fields.ts'
import { CHECKOUT_REFUSAL_CODES, CHECKOUT_REFUSAL_LABELS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'

export const webCheckoutList = declareList({
  ...webList,
  name: 'web/checkouts',
  token: 'usage',
  rows: 'checkouts of web licenses, the newest first unless sorted otherwise',
  fields: {
    number: count('Unique on the account'),
    startTime: instant('When the checkout began (UTC)'),
    // A running checkout has not ended yet: its end comes after every instant.
    endTime: { ...instant('When it ended; null while it runs'), missingIsFuture: true, nullable: true },
    product: TEXT,
    licenseModel,
    hours: {
      type: 'number',
      schema: Type.Number({ description: 'At least 0.01; null while it runs' }),
      nullable: true,
    },
    email: TEXT,
    name: text('Empty for users who were deleted'),
    host: TEXT,
    status: text('Active, Completed, Timed out (no heartbeat), or Revoked (unassigned)'),
    version: TEXT,
    externalIp: { ...TEXT, nullable: true },
    activationId: TEXT,
    checkoutId: TEXT,
    isActive: { type: 'boolean' },
  },
  key: ['startTime', 'number'],
  defaultSort: [{ name: 'startTime', direction: 'desc' }],
  distinct: 'product',
  sum: { fields: ['hours'], by: 'licenseModel' },
  csv: { noun: 'checkouts of web licenses', summary: 'Checkouts that match as CSV (UTC times), refused over 30,000' },
})
export type WebCheckout = WireRow<typeof webCheckoutList.fields>
export type WebCheckoutField = keyof WebCheckout & string

/** The columns of the screen, in its order, with their headers and decimals. An export has the same. */
export const WEB_CHECKOUT_COLUMNS = [
  ['startTime', 'Start Time'],
  ['endTime', 'End Time'],
  ['product', 'Product'],
  ['licenseModel', 'License Model'],
  ['hours', 'Hours', 2],
  ['email', 'User'],
  ['name', 'Name'],
  ['host', 'Hostname'],
  ['status', 'Status'],
  ['version', 'Version'],
  ['externalIp', 'External IP'],
  ['activationId', 'Activation ID'],
  ['checkoutId', 'Checkout ID'],
] as const satisfies readonly (readonly [field: WebCheckoutField, header: string, places?: number])[]

export const webDenialList = declareList({
  ...webList,
  name: 'web/denials',
  token: 'usage',
  rows: 'denied checkouts of web licenses, the newest first unless sorted otherwise',
  fields: {
    id: count('Unique on the account'),
    time: { type: 'instant' },
    reason: {
      type: 'text',
      schema: Type.Unsafe<CheckoutRefusal>(Type.String({ examples: [...CHECKOUT_REFUSAL_CODES] })),
    },
    reasonText: {
      type: 'text',
      schema: Type.String({
        description: 'The reason in plain words',
        examples: Object.values(CHECKOUT_REFUSAL_LABELS),
      }),
    },
    product: TEXT,
    email: text('As it was sent; not necessarily a user of the account'),
    host: TEXT,
    version: TEXT,
    externalIp: { ...TEXT, nullable: true },
  },
  key: ['time', 'id'],
  defaultSort: [{ name: 'time', direction: 'desc' }],
  distinct: 'reason',
  csv: {
    noun: 'denied checkouts of web licenses',
    summary: 'Denied checkouts that match as CSV (UTC times), refused over 30,000',
  },
})
export type WebDenial = WireRow<typeof webDenialList.fields>

/** The columns of the screen, in its order. An export has the same. */
export const WEB_DENIAL_COLUMNS = [
  ['time', 'Time'],
  ['reasonText', 'Reason'],
  ['product', 'Product'],
  ['email', 'User'],
  ['host', 'Hostname'],
  ['version', 'Version'],
  ['externalIp', 'External IP'],
] as const satisfies readonly (readonly [field: keyof WebDenial & string, header: string])[]
