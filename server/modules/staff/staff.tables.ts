import type { Generated } from 'kysely'
import type { StaffRole } from '#domain/access/roles.ts'
import type { Tables } from '#server/db/tables.ts'

export type StaffRows = {
  staff_role: {
    email: string
    role: StaffRole
    granted_by: string
    granted_at: Generated<Date>
    changed_at: Generated<Date>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends StaffRows {}
}

export const staffTables: Tables<StaffRows> = { owns: ['staff_role'] }
