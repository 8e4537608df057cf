import type { Tables } from '#server/db/tables.ts'

export const fsaTables: Tables = {
  owns: ['fsa_contract', 'fsa_draft'],
  reads: { entitlement: 'An order that the vendor’s systems send draws on its spending account.' },
}
