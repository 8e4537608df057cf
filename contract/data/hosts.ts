import { Type } from 'typebox'
import { customerNumber, flag, instant, oneOf, optional, whole } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { DEFAULT_PORT } from '#domain/activations/hosts/host.ts'
import { HOST_ID_TYPES } from '#domain/entitlements/fulfillment.ts'

export const hostRecords = recordKind({
  name: 'hosts',
  noun: 'the license server',
  scope: 'hosts',
  summary: 'A license server of an account, alone or a triad of three',
  revoking: 'It is listed no more; its history stays. While seats are on it: HOST_ACTIVE.',
  key: ['customerNumber', 'hostIdType', 'hostId'],
  schema: exactly({
    customerNumber: customerNumber('The account'),
    hostIdType: oneOf(HOST_ID_TYPES, { description: 'Of all three in a triad', examples: ['ETHERNET'] }),
    hostId: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The host id; of a triad three, joined by commas, the primary first. Separators and case do not matter.',
      examples: ['3cecef4b7d10', '3cecef4b7d10,3cecef4b7d11,3cecef4b7d12'],
    }),
    hostName: Type.String({
      minLength: 1,
      maxLength: 800,
      description: 'The host name, at most 255 characters; of a triad three, joined by commas',
      examples: ['lic-01', 'lic-01,lic-02,lic-03'],
    }),
    port: optional(
      whole(
        { description: 'Where the license server listens', examples: [1055], default: DEFAULT_PORT },
        { minimum: 1, maximum: 65_535 },
      ),
    ),
    isBorrowable: optional(
      flag({ description: 'License files allow borrowing where a license does', examples: [false], default: false }),
    ),
    addedAt: optional(
      instant({ description: 'When it was added; now unless given', examples: ['2026-01-15T09:00:00.000Z'] }),
    ),
    removedAt: optional(
      Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()], {
        description: 'Since when it is listed no more; null if it is',
        examples: [null, '2026-03-01T09:00:00.000Z'],
        default: null,
      }),
    ),
  }),
})
