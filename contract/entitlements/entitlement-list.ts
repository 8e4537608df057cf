import { type TProperties, Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { ENTITLEMENT_TYPES } from '#domain/entitlements/kind.ts'

/** The parameters of an entitlement list. Only deployed entitlements are shown to anybody but the vendor. */
const scope = {
  customerNumber: CustomerNumber,
  type: Type.Optional(
    Type.Enum([...ENTITLEMENT_TYPES], {
      description: 'SSL unless said otherwise: everything but elastic units and spending accounts',
    }),
  ),
  state: Type.Optional(Type.Literal('Deployed')),
} satisfies TProperties

const entitlements = {
  access: {
    kind: 'account',
    action: 'ssl.read',
    customerNumberIn: 'body',
    // Elastic entitlements are always allowed; everything else needs self-serve licensing.
    exception: { field: 'type', value: 'ELASTIC', action: 'elastic.read' },
  },
  scope,
  fields: {
    ActivationId: { type: 'text' },
    EntitlementID: { type: 'text' },
    PartNumber: { type: 'text' },
    ProductName: { type: 'text' },
    LicenseModel: { type: 'text' },
    LineItemQuantity: { type: 'number', schema: Type.Integer() },
    AnsysActivated: {
      type: 'number',
      schema: Type.Integer({ description: 'Seats on all license servers together' }),
    },
    StartDate: { type: 'day' },
    // A permanent license has no end and sorts after every day.
    EndDate: { type: 'day', missingIsFuture: true, nullable: true },
    VersionDate: { type: 'day', nullable: true },
    IsActivationPermanent: { type: 'text', schema: Type.String({ description: "'true' or 'false'" }) },
    EntitlementState: { type: 'text' },
    'CA[ENT|ansystype]': { type: 'text', schema: Type.String({ description: 'Lease, Paid-up or Evaluation' }) },
    'CA[ENT|ansyssubtype]': {
      type: 'text',
      schema: Type.String({ description: 'FSA for what was ordered from a spending account' }),
    },
    'CA[ENT|ansysponum]': { type: 'text', schema: Type.String({ description: 'Purchase order' }) },
  },
  key: ['ActivationId'],
  defaultSort: [{ name: 'EndDate', direction: 'asc' }],
} as const

export const entitlementList = declareList({
  ...entitlements,
  name: 'fetchEntitlements',
  token: 'entitlements',
  rows: 'entitlements of an account',
  distinct: 'ActivationId',
})

/** Values for the columns of both tables come from the list of all entitlements. */
export const activeEntitlementList = declareList({
  ...entitlements,
  name: 'fetchEntitlements/active',
  token: 'entitlements',
  rows: 'entitlements that can be used today, a day of the account',
  count: 'fetchEntitlementsActive/count',
  distinct: false,
  csv: {
    noun: 'active entitlements',
    summary: 'Active leases and perpetuals that match, as a CSV file in the columns of the screen',
  },
})

export const inactiveEntitlementList = declareList({
  ...entitlements,
  name: 'fetchEntitlements/inactive',
  token: 'entitlements',
  rows: 'entitlements that are over, used up or have not started',
  count: 'fetchEntitlementsInactive/count',
  distinct: false,
  csv: {
    noun: 'inactive entitlements',
    summary: 'Inactive leases and perpetuals that match, as a CSV file in the columns of the screen',
  },
})

export type EntitlementField = keyof typeof entitlements.fields
