import type { Tables } from '#server/db/tables.ts'

export const fsaTables: Tables = { owns: ['fsa_contract', 'fsa_draft'] }
