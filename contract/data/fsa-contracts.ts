import { Type } from 'typebox'
import { currency, day, decimal, email, optional, text } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { activationId, soldFields } from '#contract/data/sold-fields.ts'
import { exactly } from '#contract/kit/schema.ts'

export const fsaContractRecords = recordKind({
  name: 'fsa-contracts',
  noun: 'the spending account',
  scope: 'entitlements',
  summary: 'A spending account: an amount of money from which an account orders',
  revoking: 'Its state becomes Obsolete. While orders depend on it: IN_USE.',
  key: ['activationId'],
  schema: exactly({
    activationId: activationId('4f9c1d2e-0002-4a7b-9c3d-900001000002'),
    ...soldFields,
    fsaId: text(
      {
        description:
          'The id by which orders name it; no other one of the account has it. It stays while there are orders.',
        examples: ['FSA-900001-1'],
      },
      { minLength: 1, maxLength: 100 },
    ),
    currency,
    price: decimal(2, {
      description: 'The amount, as text. It cannot drop below what was ordered: PRICE_BELOW_ORDERED.',
      examples: ['250000.00'],
    }),
    startDate: day({
      description: 'The first day. It cannot move after the start of an order: START_AFTER_ORDERED.',
      examples: ['2026-01-01'],
    }),
    endDate: day({
      description: 'The last day. It cannot move before the end of an order: END_BEFORE_ORDERED.',
      examples: ['2026-12-31'],
    }),
    businessOperationsEmails: optional(
      Type.Array(email({ description: 'An address', examples: ['olivia.ops@vendor.example'] }), {
        maxItems: 20,
        description: 'Addresses that get an email about each order',
        examples: [['olivia.ops@vendor.example']],
        default: [],
      }),
    ),
  }),
})
