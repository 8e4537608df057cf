import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { Signed } from '#server/modules/web-licenses/assignments.queries.ts'

export type Group = { readonly groupId: string; readonly name: string; readonly members: readonly string[] }

/** Groups with their members: those of these ids, or all of the account. */
export async function listGroups(
  db: Kysely<DB>,
  customerNumber: string,
  groupIds?: readonly string[],
): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select g.group_id as "groupId", g.name,
           array(select m.email from web_group_member m
                  where m.customer_number = ${customerNumber} and m.group_id = g.group_id order by 1) as members
      from web_group g
     where g.customer_number = ${customerNumber}
       and (${groupIds ?? null}::text[] is null or g.group_id = any (${groupIds ?? []}))`.execute(db)
  return rows
}

/** Undefined if the account has a group of this name. */
export async function insertGroup(
  tx: Transaction<DB>,
  customerNumber: string,
  { name, key }: { name: string; key: string },
  { by, at }: Signed,
): Promise<string | undefined> {
  const made = await tx
    .insertInto('web_group')
    .values({ customer_number: customerNumber, name, name_key: key, created_at: at, created_by: by })
    .onConflict((conflict) => conflict.constraint('web_group_name_is_unique').doNothing())
    .returning('group_id')
    .executeTakeFirst()
  return made?.group_id
}

/** False if another group of the account has the name. */
export async function renameGroup(
  tx: Transaction<DB>,
  customerNumber: string,
  groupId: string,
  { name, key }: { name: string; key: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('web_group as g')
    .set({ name, name_key: key })
    .where('g.customer_number', '=', customerNumber)
    .where('g.group_id', '=', groupId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('web_group as other')
            .select('other.group_id')
            .where('other.customer_number', '=', customerNumber)
            .where('other.name_key', '=', key)
            .where('other.group_id', '<>', groupId),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a group with its members and assignments; release the seats afterwards. */
export async function deleteGroup(tx: Transaction<DB>, customerNumber: string, groupId: string): Promise<void> {
  await tx
    .deleteFrom('web_group')
    .where('customer_number', '=', customerNumber)
    .where('group_id', '=', groupId)
    .execute()
}

export type Membership = { readonly groupId: string; readonly email: string }

export async function insertMembers(
  tx: Transaction<DB>,
  customerNumber: string,
  members: readonly Membership[],
): Promise<void> {
  if (members.length === 0) return
  await sql`
    insert into web_group_member (customer_number, group_id, email)
    select ${customerNumber}::text, group_id, email
      from unnest(${members.map((one) => one.groupId)}::text[], ${members.map((one) => one.email)}::text[])
        as wanted (group_id, email)
    on conflict do nothing`.execute(tx)
}

export async function deleteMembers(
  tx: Transaction<DB>,
  customerNumber: string,
  groupId: string,
  emails: readonly string[],
): Promise<void> {
  await sql`
    delete from web_group_member m
     where m.customer_number = ${customerNumber} and m.group_id = ${groupId} and m.email = any (${emails})`.execute(tx)
}
