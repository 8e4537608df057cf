import {
  currencyOrDollars,
  day,
  decimal,
  email,
  flag,
  instant,
  oneOf,
  optional,
  orNull,
  rateTableVersion,
  required,
  text,
  whole,
} from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { activationId, soldFields } from '#contract/data/sold-fields.ts'
import { exactly } from '#contract/kit/schema.ts'

const TYPES = ['Lease', 'Paid-up', 'Evaluation'] as const

export const entitlementRecords = recordKind({
  name: 'entitlements',
  noun: 'the entitlement',
  scope: 'entitlements',
  summary: 'What an account has bought, or ordered from a spending account: one record for each activation id',
  revoking: 'Its state becomes Obsolete. While seats of it are activated or assigned: IN_USE.',
  key: ['activationId'],
  schema: exactly({
    activationId: activationId('4f9c1d2e-0001-4a7b-9c3d-900001000001'),
    ...soldFields,
    entitlementId: text(
      { description: 'The order line that it belongs to', examples: ['ENT-900001-0001'] },
      { minLength: 1, maxLength: 100 },
    ),
    licenseModel: text(
      {
        description:
          'How it is licensed: Network, Node Locked, Named User, Shared Web, Elastic-AEU, FSA or another model of the vendor. A model that contains Borrow can be borrowed.',
        examples: ['Network', 'Elastic-AEU'],
      },
      { ...required, maxLength: 60 },
    ),
    type: optional(oneOf(TYPES, { description: 'How it was sold', examples: ['Lease'], default: 'Lease' })),
    quantity: whole(
      {
        description: 'Seats or lines. It cannot drop below what is activated or assigned: QUANTITY_IN_USE.',
        examples: [10],
      },
      { minimum: 0, maximum: 1_000_000_000 },
    ),
    unitsPerLine: optional(
      decimal(2, { description: 'Elastic units of one line, as text', examples: ['1.00'], default: '1.00' }),
    ),
    startDate: day({ description: 'The first day', examples: ['2026-01-01'] }),
    endDate: optional(
      orNull(day({ description: 'The last day; null for a permanent license', examples: ['2026-12-31'] })),
    ),
    versionDate: optional(
      orNull(day({ description: 'The last day of maintenance; null for none', examples: ['2026-12-31'] })),
    ),
    currency: optional(currencyOrDollars),
    price: optional(
      orNull(decimal(2, { description: 'What an order from a spending account cost, as text', examples: ['1900.00'] })),
    ),
    rateTableVersion: optional(
      rateTableVersion({
        description: 'The rate table of elastic usage, which elastic units need; empty for other entitlements',
        examples: ['2026R2'],
        default: '',
      }),
    ),
    fsaId: optional(
      orNull(
        text(
          {
            description:
              'The spending account that it was ordered from; null for none. An order lies within its dates: OUTSIDE_CONTRACT.',
            examples: ['FSA-900001-1'],
          },
          { minLength: 1, maxLength: 100 },
        ),
      ),
    ),
    isManual: optional(
      flag({
        description: 'A manual entry of business operations in a spending account',
        examples: [false],
        default: false,
      }),
    ),
    requesterEmail: optional(
      orNull(email({ description: 'Who ordered it; null for nobody', examples: ['nora.lind@northwind.example'] })),
    ),
    orderedAt: optional(
      orNull(
        instant({ description: 'When it was ordered; null if it was not', examples: ['2026-01-15T09:00:00.000Z'] }),
      ),
    ),
  }),
})
