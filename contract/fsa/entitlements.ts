import { type Static, Type } from 'typebox'
import { Amount } from '#contract/fsa/contracts.ts'
import { declareList } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

const FsaEntitlement = Type.Object({
  ActivationId: Type.String({ description: 'Unique on the account' }),
  EntitlementID: Type.String(),
  PartNumber: Type.String(),
  MappedPartNumber: Type.String(),
  ProductName: Type.String(),
  ProductCount: Type.Integer(),
  LineItemQuantity: Type.Integer(),
  ansyssubtype: Type.String({ description: 'FSA' }),
  ansysprice: Amount,
  ansyscount: Type.Number({ description: 'Units per line' }),
  ansyscurrency: Type.String(),
  StartDate: Type.String(),
  EndDate: Type.String(),
  manualentry: Type.Boolean({ description: 'Booked by business operations; cannot be activated' }),
  bookings: Type.Optional(
    Type.Array(Type.Object({ day: Type.String(), price: Amount }), {
      description: 'Of a line for several entries: what was booked on which day of the account',
    }),
  ),
  apimeta: Type.Object({
    requesterEmail: Type.String(),
    orderid: Type.String(),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When it was ordered; of a contract, when it was created',
    }),
    fsaID: Type.Union([Type.String(), Type.Null()], {
      description: 'The contract that it was ordered from; null for the contract itself',
    }),
  }),
})
export type WireFsaEntitlement = Static<typeof FsaEntitlement>

const scope = { customerNumber: CustomerNumber }
const access = { kind: 'account', action: 'fsa.read', customerNumberIn: 'body' } as const

export const listFsaEntitlements = operation({
  name: 'fsa/entitlements',
  summary:
    'FSA contracts of an account and everything that was ordered from them, the last to end first. Only business operations see manual entries one by one: others get their sum for each contract.',
  access,
  token: 'spending-account',
  writes: false,
  body: requestFields(scope),
  data: Type.Array(FsaEntitlement),
})

/** Counts and distinct values. The contents of `apimeta` are separate fields here. */
export const fsaEntitlementList = declareList({
  name: 'fsa/entitlements',
  rows: 'FSA contracts of an account and everything that was ordered from them',
  access,
  token: 'spending-account',
  scope,
  page: false,
  fields: {
    ActivationId: { type: 'text' },
    EntitlementID: { type: 'text' },
    PartNumber: { type: 'text' },
    ProductName: { type: 'text' },
    LineItemQuantity: { type: 'number' },
    ansysprice: { type: 'number' },
    ansyscurrency: { type: 'text' },
    StartDate: { type: 'day' },
    EndDate: { type: 'day' },
    manualentry: { type: 'boolean' },
    requesterEmail: { type: 'text' },
    orderid: { type: 'text' },
    timestamp: { type: 'instant' },
    fsaID: { type: 'text', nullable: true },
  },
  key: ['ActivationId'],
  defaultSort: [{ name: 'EndDate', direction: 'desc' }],
  distinct: 'EntitlementID',
})
