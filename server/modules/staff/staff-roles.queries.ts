import type { Kysely, Transaction } from 'kysely'
import { roleRecords } from '#contract/data/roles.ts'
import type { StaffRole } from '#domain/access/roles.ts'
import { noteRemovals } from '#server/data/removals.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

type Holder = { readonly email: string; readonly role: StaffRole }

/** False if the person had the role already. */
export async function insertStaffRole(
  tx: Transaction<DB>,
  { email, role }: Holder,
  by: { email: string; at: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('staff_role')
    .values({ email, role, granted_by: by.email, granted_at: by.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('email')
    .executeTakeFirst()
  await announceAccess(tx, [email], 'person')
  return row !== undefined
}

/** False if the person did not have the role. */
export async function deleteStaffRole(tx: Transaction<DB>, { email, role }: Holder): Promise<boolean> {
  const row = await tx
    .deleteFrom('staff_role')
    .where('email', '=', email)
    .where('role', '=', role)
    .returning('email')
    .executeTakeFirst()
  await announceAccess(tx, [email], 'person')
  if (row) await noteRemovals(tx, roleRecords.name, [roleRecords.keyOf({ role, email })])
  return row !== undefined
}

/** Everybody with a staff role of the portal's own. Roles from the identity provider are not stored. */
export async function listStaffEmails(db: Kysely<DB>): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('staff_role').select('email').distinct().execute()
  return new Set(rows.map(({ email }) => email))
}

export async function hasStaffRoles(db: Kysely<DB>): Promise<boolean> {
  const found = await db.selectFrom('staff_role').select('email').limit(1).executeTakeFirst()
  return found !== undefined
}

export async function listStaffRoles(db: Kysely<DB>): Promise<{ email: string; roles: StaffRole[] }[]> {
  const rows = await db.selectFrom('staff_role').select(['email', 'role']).orderBy('email').orderBy('role').execute()
  const people = Map.groupBy(rows, (row) => row.email)
  return [...people].map(([email, own]) => ({ email, roles: own.map((row) => row.role) }))
}
