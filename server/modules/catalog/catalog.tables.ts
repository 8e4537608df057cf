import type { Tables } from '#server/db/tables.ts'

export const catalogTables: Tables = {
  owns: ['product', 'elastic_rate', 'fsa_price'],
  reads: { entitlement: 'A product that was sold stays in the catalog.' },
}
