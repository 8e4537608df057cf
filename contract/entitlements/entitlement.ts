import { type TProperties, Type } from 'typebox'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { ENTITLEMENT_TYPES } from '#domain/entitlements/kind.ts'

const Day = Type.String({ description: 'A calendar day of the account, yyyy-mm-dd' })
const DayOrNull = Type.Union([Day, Type.Null()])

/** What an entitlement list is asked for; only what is deployed is anybody's business but the vendor's. */
export const entitlementScope = {
  customerNumber: CustomerNumber,
  type: Type.Optional(
    Type.Enum([...ENTITLEMENT_TYPES], {
      description: 'SSL unless said otherwise: everything but elastic units and spending accounts',
    }),
  ),
  state: Type.Optional(Type.Literal('Deployed')),
} satisfies TProperties

/** Elastic entitlements are always allowed; everything else needs self-serve licensing. */
export const entitlementAccess = {
  kind: 'account',
  action: 'ssl.read',
  customerNumberIn: 'body',
  exception: { field: 'type', value: 'ELASTIC', action: 'elastic.read' },
} as const

/** Which fields a row has is up to the `attributes` of the request. */
export const Entitlement = Type.Partial(
  Type.Object({
    ActivationId: Type.String(),
    EntitlementID: Type.String(),
    PartNumber: Type.String(),
    ProductName: Type.String(),
    LicenseModel: Type.String(),
    LineItemQuantity: Type.Integer(),
    StartDate: Day,
    EndDate: DayOrNull,
    VersionDate: DayOrNull,
    IsActivationPermanent: Type.String({ description: "'true' or 'false'" }),
    EntitlementState: Type.String(),
    'CA[ENT|ansystype]': Type.String({ description: 'Lease, Paid-up or Evaluation' }),
    'CA[ENT|ansyssubtype]': Type.String({ description: 'FSA for what was ordered from a spending account' }),
    'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
  }),
)

export const ElasticEntitlement = Type.Object({
  ActivationId: Type.String(),
  'CA[ENT|ansysproduct]': Type.String(),
  'CA[ENT|ansyscount]': Type.Number({ description: 'Units per line; the total is LineItemQuantity times this' }),
  'CA[ENT|ansysratetableversion]': Type.String(),
  'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
  LineItemQuantity: Type.Integer(),
  StartDate: Day,
  EndDate: DayOrNull,
  Currency: Type.String(),
  Used: Type.Number({ description: 'The sum of the charges booked on the activation id' }),
  LicenseModel: Type.String(),
  EntitlementState: Type.String(),
})
