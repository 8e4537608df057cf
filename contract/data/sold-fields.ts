import { Type } from 'typebox'
import { customerNumber, instant, oneOf, optional, partNumber, required, text } from '#contract/data/fields.ts'

const ENTITLEMENT_STATES = ['Deployed', 'Draft', 'Obsolete'] as const

export const activationId = (example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    description: 'The vendor’s own id. No other record of any account has it.',
    examples: [example],
  })

/** What entitlements and spending accounts have in common. */
export const soldFields = {
  customerNumber: customerNumber('The account; it never changes'),
  partNumber,
  productName: optional(
    text(
      {
        description: 'The name under which it was sold; that of the catalog unless given',
        examples: ['Example Solver Pro'],
      },
      required,
    ),
  ),
  state: optional(
    oneOf(ENTITLEMENT_STATES, {
      description: 'Only what is Deployed is seen and can be used',
      examples: ['Deployed'],
      default: 'Deployed',
    }),
  ),
  poNumber: optional(
    text(
      { description: 'The customer’s purchase order', examples: ['PO-4512345678'], default: '' },
      { maxLength: 100 },
    ),
  ),
  orderId: optional(
    text({ description: 'The vendor’s order', examples: ['SO-7654321'], default: '' }, { maxLength: 100 }),
  ),
  createdAt: optional(
    instant({ description: 'When it was sold; now unless given', examples: ['2026-01-15T09:00:00.000Z'] }),
  ),
}
