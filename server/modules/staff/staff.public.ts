import type { Kysely } from 'kysely'
import type { StaffRole } from '#domain/access/roles.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { deleteStaffRole, insertStaffRole } from '#server/modules/staff/staff-roles.queries.ts'

/** What the command line and other modules may use of staff roles. */
export { staffRoleData } from '#server/modules/staff/staff-role-records.ts'
export { hasStaffRoles, listStaffEmails, listStaffRoles } from '#server/modules/staff/staff-roles.queries.ts'

type Holder = { readonly email: string; readonly role: StaffRole }

/** False if the person had the role already. */
export function grantStaffRole(db: Kysely<DB>, { email, role }: Holder, by: AuditContext): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const granted = await insertStaffRole(tx, { email, role }, by)
    if (granted) await writeAudit(tx, by, { action: 'staff.grant', target: email, after: role })
    return granted
  })
}

/** False if the person did not have the role. */
export function revokeStaffRole(db: Kysely<DB>, { email, role }: Holder, by: AuditContext): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const revoked = await deleteStaffRole(tx, { email, role })
    if (revoked) await writeAudit(tx, by, { action: 'staff.revoke', target: email, before: role })
    return revoked
  })
}
