import { Type } from 'typebox'
import { customerNumber, instant, optional, required, text } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'

export const elasticServerRecords = recordKind({
  name: 'elastic-servers',
  noun: 'the elastic license server',
  scope: 'accounts',
  summary: 'An elastic license server of an account',
  revoking: 'It is removed with its PIN, usernames and IP rules. Once usage has arrived from it: IN_USE.',
  canBeRemoved: true,
  key: ['serverId'],
  schema: exactly({
    serverId: Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description: 'The id that sessions and usage name. No other elastic server of any account has it.',
      examples: ['els-900001-1'],
    }),
    customerNumber: customerNumber('The account; it never changes'),
    alias: text({ description: 'As people see it', examples: ['Northwind elastic'] }, required),
    createdAt: optional(
      instant({ description: 'When it was added; now unless given', examples: ['2026-01-15T09:00:00.000Z'] }),
    ),
  }),
})
