import { Type } from 'typebox'
import { exportBody } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields, untrusted } from '#contract/kit/schema.ts'
import { download } from '#domain/audit/words.ts'

const Day = Type.String({ description: 'A calendar day of the account, yyyy-mm-dd' })

const ElasticEntitlement = Type.Object({
  ActivationId: Type.String(),
  'CA[ENT|ansysproduct]': Type.String(),
  'CA[ENT|ansyscount]': Type.Number({ description: 'Units per line; the total is LineItemQuantity times this' }),
  'CA[ENT|ansysratetableversion]': Type.String(),
  'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
  LineItemQuantity: Type.Integer(),
  StartDate: Day,
  EndDate: Type.Union([Day, Type.Null()]),
  Currency: Type.String(),
  Used: Type.Number({ description: 'The sum of the charges booked on the activation id' }),
  LicenseModel: Type.String(),
  EntitlementState: Type.String(),
})

/** The one call that spells the account's name in lower case. */
const scope = {
  customerNumber: CustomerNumber,
  customername: untrusted.customerName,
}

export const getEntitlements = operation({
  name: 'getEntitlements',
  summary: 'Elastic entitlements of an account with what is used of them, the last to end first',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  body: requestFields(scope),
  data: Type.Array(ElasticEntitlement),
})

/** Details are opened one row at a time, or all at once. */
const MAX_IDS = 1000

export const getMonthlyDraw = operation({
  name: 'getEntitlements/draw',
  summary: 'Charges booked on elastic entitlements, month by month; ids that are not the account’s are left out',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
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

export const exportElasticEntitlements = operation({
  name: 'getEntitlements/export',
  summary: 'Elastic entitlements that match, as a CSV file; filter and sorting name the columns of the screen',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  audit: download('elastic entitlements'),
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody({
    customerNumber: CustomerNumber,
    active: Type.Boolean({ description: 'Which of the two tables' }),
  }),
  data: Type.String(),
  media: 'text/csv',
})
