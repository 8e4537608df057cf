import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly } from '#contract/kit/schema.ts'
import { SESSION_ID_PATTERN } from '#domain/elastic/sessions/session-life.ts'

const service = { access: { kind: 'service', scope: 'web' } } as const
const params = exactly({
  checkoutId: Type.String({
    pattern: SESSION_ID_PATTERN,
    description: 'As the checkout answered it',
    examples: ['100001.6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'],
  }),
})

export const startWebCheckout = operation({
  ...service,
  name: 'service/web/checkouts',
  token: null,
  path: '/service/v1/web/checkouts',
  summary:
    'Checks a web license out, or denies it: FAILURE with the code EXPORT, UNKNOWN_PRODUCT, ENTITLEMENT_EXPIRED, NOT_STARTED, USER_NOT_ASSIGNED or NO_SEAT. The account sees every denial in its report.',
  writes: true,
  audit: { none: 'The checkout is a row with its user, host and times.' },
  refusals: ['EXPORT', 'UNKNOWN_PRODUCT', 'USER_NOT_ASSIGNED', 'NOT_STARTED', 'ENTITLEMENT_EXPIRED', 'NO_SEAT'],
  body: exactly({
    customerNumber: CustomerNumber,
    product: Type.String({ minLength: 1, maxLength: 200, examples: ['Optical Ray Studio'] }),
    username: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The email address of the user, in any case',
      examples: ['ann.lee@company.com'],
    }),
    host: Type.String({ minLength: 1, maxLength: 255, examples: ['ws-berlin-07'] }),
    version: Type.Optional(Type.String({ maxLength: 64, examples: ['2026 R1'] })),
    externalIp: Type.Optional(
      Type.Union([Type.String({ format: 'ipv4' }), Type.String({ format: 'ipv6' })], { examples: ['203.0.113.7'] }),
    ),
  }),
  data: Type.Object({
    checkoutId: Type.String({ examples: ['100001.6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'] }),
    activationId: Type.String({ description: 'The entitlement that is used' }),
    heartbeatSeconds: Type.Integer({
      description: 'How often to send a heartbeat. A checkout ends 15 minutes after its last one.',
      examples: [300],
    }),
  }),
})

export const keepWebCheckout = operation({
  ...service,
  name: 'service/web/checkouts/heartbeat',
  token: null,
  path: '/service/v1/web/checkouts/:checkoutId/heartbeat',
  summary:
    'Keeps a checkout. FAILURE with CHECKOUT_ENDED once it is over or revoked, with EXPORT or ENTITLEMENT_EXPIRED if it may not go on.',
  writes: true,
  audit: { none: 'Moves the end of a checkout.' },
  refusals: ['CHECKOUT_ENDED', 'ENTITLEMENT_EXPIRED', 'EXPORT'],
  params,
  data: Type.Object({ heartbeatSeconds: Type.Integer({ examples: [300] }) }),
})

export const checkInWebLicense = operation({
  ...service,
  name: 'service/web/checkouts/checkin',
  token: null,
  path: '/service/v1/web/checkouts/:checkoutId/checkin',
  summary: 'Checks the license in again. Called again, it answers the same and changes nothing.',
  writes: true,
  audit: { none: 'The end is in the row of the checkout.' },
  params,
  data: Type.Object({
    status: Type.String({ description: 'Completed, Timed out or Revoked', examples: ['Completed'] }),
    hours: Type.Number({ examples: [1.5] }),
  }),
})
