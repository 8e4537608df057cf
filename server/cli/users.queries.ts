import type { Kysely } from 'kysely'
import type { StaffRole } from '#domain/access/roles.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'

/** Who the audit log names for what an operator does. */
const OPERATOR = { email: 'operator', address: 'command line', requestId: '' }

export function grantStaffRole(db: Kysely<DB>, email: string, role: StaffRole, at: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('staff_role')
      .values({ email, role, granted_by: OPERATOR.email, granted_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('email')
      .executeTakeFirst()
    if (row) await writeAudit(tx, { ...OPERATOR, at }, { action: 'staff.grant', target: email, after: role })
    return row !== undefined
  })
}

export function revokeStaffRole(db: Kysely<DB>, email: string, role: StaffRole, at: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('staff_role')
      .where('email', '=', email)
      .where('role', '=', role)
      .returning('email')
      .executeTakeFirst()
    if (row) await writeAudit(tx, { ...OPERATOR, at }, { action: 'staff.revoke', target: email, before: role })
    return row !== undefined
  })
}

export async function staffRoles(db: Kysely<DB>): Promise<{ email: string; roles: StaffRole[] }[]> {
  const rows = await db.selectFrom('staff_role').select(['email', 'role']).orderBy('email').orderBy('role').execute()
  const people = Map.groupBy(rows, (row) => row.email)
  return [...people].map(([email, own]) => ({ email, roles: own.map((row) => row.role) }))
}
