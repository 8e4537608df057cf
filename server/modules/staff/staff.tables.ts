import type { Tables } from '#server/db/tables.ts'

export const staffTables: Tables = { owns: ['staff_role'] }
