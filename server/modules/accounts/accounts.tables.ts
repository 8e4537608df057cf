import type { Tables } from '#server/db/tables.ts'

export const accountsTables: Tables = {
  owns: ['account', 'contact', 'account_grant'],
  reads: {
    person: 'The name of a person comes with the roles that they have on accounts.',
    entitlement: 'What an account holds is part of the standing of a person on it.',
  },
}
