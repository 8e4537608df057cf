import type { Tables } from '#server/db/tables.ts'

export const accountsTables: Tables = {
  owns: ['account', 'contact', 'account_grant', 'recent_account'],
  reads: {
    person: 'The name of a person comes with their roles on accounts, and their last sign-in with the contacts.',
    entitlement: 'What an account holds is part of the standing of a person on it.',
  },
}
