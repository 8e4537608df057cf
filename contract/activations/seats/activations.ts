import { Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

const NullableDay = Type.Union([Type.String(), Type.Null()])

/** An entitlement with its seats. The names are those of `RawActivation`, which `activationRow` turns into a row. */
const RawActivation = Type.Object({
  customerNumber: Type.String(),
  ActivationId: Type.String(),
  ProductName: Type.String(),
  LicenseModel: Type.String(),
  LineItemQuantity: Type.Integer(),
  StartDate: Type.String(),
  EndDate: NullableDay,
  VersionDate: NullableDay,
  IsActivationPermanent: Type.String({ description: "'true' or 'false'" }),
  'CA[ENT|ansystype]': Type.String({ description: 'Lease, Paid-up or Evaluation' }),
  AnsysActivated: Type.Integer({ description: 'Seats on all license servers together' }),
  AnsysFulfillments: Type.Array(Type.Object({ FulfillmentID: Type.String(), FulfillCount: Type.Integer() }), {
    description: 'Those on the named license server, net of what was returned; empty with sumOnly',
  }),
})

const options = {
  activeOnly: Type.Optional(Type.Boolean({ description: 'Only what holds seats on the license server now' })),
  sumOnly: Type.Optional(Type.Boolean({ description: 'Leaves AnsysFulfillments empty' })),
}
const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const

export const serverEntitlements = operation({
  name: 'fulfillments/entitlements',
  summary:
    'Entitlements of one customer on a license server. Unless activeOnly: also those that were on it once, and those that can be activated',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber, serverId: ServerId, ...options }),
  data: Type.Array(RawActivation),
  extraFields: {
    basis: Type.String({
      description: 'To be sent with a save that is made from this answer: a save by somebody else is a conflict then',
    }),
  },
})

export const allEntitlements = operation({
  name: 'fulfillments/allentitlements',
  summary:
    'With a license server: its entitlements over all customers that share it and that the caller may see. Without: everything of the account that can be activated',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    serverId: Type.Optional(Type.Union([ServerId, Type.Literal(''), Type.Null()])),
    ...options,
    forceSync: Type.Optional(Type.Boolean({ description: 'Has no effect' })),
  }),
  data: Type.Array(RawActivation),
})
