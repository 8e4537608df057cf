import { customerNumber, flag, oneOf, optional, required, text } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { ORG_TYPES } from '#domain/access/standing.ts'

export const accountRecords = recordKind({
  name: 'accounts',
  noun: 'the account',
  scope: 'accounts',
  summary: 'A customer of the vendor',
  revoking: 'Its people lose access until a record says otherwise: isAccessDisabled becomes true.',
  key: ['customerNumber'],
  schema: exactly({
    customerNumber: customerNumber('The vendor’s number of the customer'),
    name: text({ description: 'As people see it', examples: ['Northwind Turbines'] }, required),
    orgType: optional(
      oneOf(ORG_TYPES, {
        description: 'How the customer buys. The screens open only for Direct and Channel.',
        examples: ['Direct', 'Channel', 'Indirect'],
        default: 'Undefined',
      }),
    ),
    exportControlStatus: optional(
      text(
        {
          description:
            'Empty or approved, in any case, opens the account. Anything else closes it to everybody, staff included.',
          examples: ['approved', 'denied'],
          default: '',
        },
        { maxLength: 40 },
      ),
    ),
    isAccessDisabled: optional(
      flag({
        description: 'Shuts out everybody but staff and license generators',
        examples: [false],
        default: false,
      }),
    ),
    supportEmail: optional(
      text(
        {
          description: 'Where license files are mailed to; empty for nowhere',
          examples: ['license.support@northwind.example'],
          default: '',
        },
        { maxLength: 254 },
      ),
    ),
    timeZone: optional(
      text(
        {
          description: 'IANA name of the zone in which the days of the account are counted',
          examples: ['Europe/Berlin'],
          default: 'UTC',
        },
        { minLength: 1, maxLength: 64 },
      ),
    ),
  }),
})
