import { type Static, Type } from 'typebox'
import { customerNumber, instant, oneOf, optional, required, text, whole } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { FULFILLMENT_ACTIONS, HOST_ID_TYPES } from '#domain/entitlements/fulfillment.ts'

const FULFILLMENT_ID = '^[\\x21-\\x39\\x3b-\\x7e]{1,100}$'

/** In files only: people and programs activate seats through the portal, which writes this ledger. */
export const fulfillmentRecords = recordKind({
  name: 'fulfillments',
  noun: 'the activation',
  scope: 'entitlements',
  summary: 'An entry of the ledger of activations: seats that were activated on a license server, or returned from it',
  revoking: 'Entries of the ledger stay. A negative count returns seats.',
  key: ['customerNumber', 'fulfillmentId'],
  schema: exactly({
    customerNumber: customerNumber('The account whose seats they are'),
    fulfillmentId: Type.String({
      pattern: FULFILLMENT_ID,
      description: 'The id of the entry. It is added once and never changed.',
      examples: ['f-000001'],
    }),
    activationId: Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description: 'The entitlement whose seats they are',
      examples: ['a1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d'],
    }),
    hostIdType: oneOf(HOST_ID_TYPES, { description: 'The type of the host id', examples: ['ETHERNET'] }),
    hostId: text(
      { description: 'The host id of the license server, as its record has it', examples: ['00155d3a2b1c'] },
      required,
    ),
    count: whole(
      { description: 'Seats that were activated; negative for seats that were returned', examples: [5] },
      { minimum: -1_000_000, maximum: 1_000_000 },
    ),
    fulfilledAt: instant({ description: 'When it happened', examples: ['2026-10-10T08:00:00.000Z'] }),
    parentFulfillmentId: optional(
      Type.String({
        pattern: FULFILLMENT_ID,
        description: 'For a return: the activation that it takes back',
        examples: ['f-000000'],
      }),
    ),
    action: optional(
      oneOf(FULFILLMENT_ACTIONS, { description: 'In which act it was done', examples: ['EDIT'], default: 'EDIT' }),
    ),
    modifiedBy: optional(
      text({
        description: 'Who did it',
        examples: ['ada.admin@aerodyne.example'],
        default: 'Automated Action',
      }),
    ),
  }),
})
export type FulfillmentRecord = Static<typeof fulfillmentRecords.schema>
