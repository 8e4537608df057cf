import type { Tables } from '#server/db/tables.ts'

export const settingsTables: Tables = {
  owns: ['feature', 'feature_conflict', 'person_feature', 'table_preference'],
  reads: { account: 'Saved views of accounts that export compliance has closed are left out.' },
}
