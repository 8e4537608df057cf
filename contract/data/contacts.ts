import { customerNumber, email, oneOf } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { CONTACT_ROLES } from '#domain/access/roles.ts'

export const contactRecords = recordKind({
  name: 'contacts',
  noun: 'the contact',
  scope: 'accounts',
  summary: 'A person of a customer who may use the portal',
  revoking: 'The person is no contact of the account any more.',
  canBeRemoved: true,
  key: ['customerNumber', 'email'],
  schema: exactly({
    customerNumber: customerNumber('The account'),
    email: email({ description: 'Who signs in with it is this contact', examples: ['nora.lind@northwind.example'] }),
    role: oneOf(CONTACT_ROLES, {
      description: 'What the person may do on the account',
      examples: ['Licensing Portal Administrator', 'Licensing Portal Viewer'],
    }),
  }),
})
