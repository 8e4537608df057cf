import { Type } from 'typebox'
import { ElasticEntitlement } from '#contract/entitlements/entitlement.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestBody, untrusted } from '#contract/kit/schema.ts'

/** The one call that spells the account's name in lower case. */
const scope = {
  customerNumber: CustomerNumber,
  customername: untrusted.customerName,
}

export const getEntitlements = operation({
  name: 'getEntitlements',
  method: 'POST',
  path: '/api/getEntitlements',
  summary: 'Elastic entitlements of an account with what is used of them, the last to end first',
  module: 'entitlements',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: false,
  body: requestBody(scope),
  data: Type.Array(ElasticEntitlement),
})

/** Details are opened one row at a time, or all at once. */
const MAX_IDS = 1000

export const getMonthlyDraw = operation({
  name: 'getEntitlements/draw',
  method: 'POST',
  path: '/api/getEntitlements/draw',
  summary: 'Charges booked on elastic entitlements, month by month; ids that are not the account’s are left out',
  module: 'entitlements',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: false,
  body: requestBody({
    ...scope,
    activationId: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: MAX_IDS }),
  }),
  data: Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        month: Type.String({
          description: 'A month of the account’s calendar, yyyy-mm; those without charges are left out',
        }),
        used: Type.Number(),
      }),
    ),
  ),
})
