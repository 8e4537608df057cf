import { type Kysely, sql, type Transaction } from 'kysely'
import type { ProvisioningState } from '#contract/provisioning/provisioning.ts'
import type { DB } from '#server/db/schema.ts'

type Counts = Omit<ProvisioningState, 'baseAddress' | 'lastCallAt' | 'lastChangeAt'> & {
  readonly lastCallAt: Date | null
  readonly lastChangeAt: Date | null
}

export async function loadProvisioningState(db: Kysely<DB>, customerNumber: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select max(c.called_at) from scim_call c where c.customer_number = ${customerNumber}) as "lastCallAt",
           greatest((select max(u.changed_at) from scim_user u where u.customer_number = ${customerNumber}),
                    (select max(g.changed_at) from scim_group g where g.customer_number = ${customerNumber})) as "lastChangeAt",
           (select count(*)::int from scim_call c
             where c.customer_number = ${customerNumber} and c.status >= 400) as "failedCalls",
           (select count(*)::int from scim_user u where u.customer_number = ${customerNumber} and u.is_active) as people,
           (select count(*)::int from scim_group g where g.customer_number = ${customerNumber}) as groups,
           (select count(*)::int from scim_mapping m where m.customer_number = ${customerNumber}) as "mappedGroups"`.execute(
    db,
  )
  return rows[0]!
}

/** A group of the identity provider, and what it gives. */
export type MappedGroup = {
  readonly name: string
  readonly role: DB['scim_mapping']['role']
  readonly webGroupId: string | null
}

export async function findMappedGroup(
  db: Kysely<DB>,
  customerNumber: string,
  groupId: string,
): Promise<MappedGroup | undefined> {
  const { rows } = await sql<MappedGroup>`
    select g.display_name as name, m.role, m.web_group_id as "webGroupId" from scim_group g
      left join scim_mapping m on m.customer_number = ${customerNumber} and m.group_id = g.group_id
     where g.customer_number = ${customerNumber} and g.group_id = ${groupId}`.execute(db)
  return rows[0]
}

type Target = Pick<MappedGroup, 'role' | 'webGroupId'>

export async function saveMapping(
  tx: Transaction<DB>,
  { customerNumber, groupId }: { readonly customerNumber: string; readonly groupId: string },
  { role, webGroupId }: Target,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx
    .deleteFrom('scim_mapping')
    .where('customer_number', '=', customerNumber)
    .where('group_id', '=', groupId)
    .execute()
  if (role === null && webGroupId === null) return
  await tx
    .insertInto('scim_mapping')
    .values({
      customer_number: customerNumber,
      group_id: groupId,
      role,
      web_group_id: webGroupId,
      saved_by: by,
      saved_at: at,
    })
    .execute()
}

/** Names of web groups by their ids. */
export async function listWebGroupNames(db: Kysely<DB>, customerNumber: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select w.group_id as id, w.name from web_group w where w.customer_number = ${customerNumber}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export function findScimCall(db: Kysely<DB>, customerNumber: string, callNumber: number) {
  return db
    .selectFrom('scim_call')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('call_number', '=', String(callNumber))
    .executeTakeFirst()
}
