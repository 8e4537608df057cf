import { type Static, Type } from 'typebox'
import { email, oneOf, optional } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { ACCOUNT_GRANTS, STAFF_ROLES } from '#domain/access/roles.ts'

export const roleRecords = recordKind({
  name: 'roles',
  noun: 'the role',
  scope: 'roles',
  summary: 'A role of one of the vendor’s own people, or a right of a person on one account',
  revoking: 'The person loses it.',
  canBeRemoved: true,
  key: ['role', 'customerNumber', 'email'],
  schema: exactly({
    role: oneOf([...ACCOUNT_GRANTS, ...STAFF_ROLES], {
      description: `${STAFF_ROLES.join(', ')} are roles of staff; ${ACCOUNT_GRANTS.join(' and ')} are rights on one account`,
      examples: ['sales-access', 'busops'],
    }),
    customerNumber: optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{0,20}$',
        description: 'The account of a right; empty for a role of staff',
        examples: ['900001', ''],
        default: '',
      }),
    ),
    email: email({ description: 'Who has it', examples: ['sara.berg@vendor.example'] }),
  }),
})
export type RoleRecord = Static<typeof roleRecords.schema>
