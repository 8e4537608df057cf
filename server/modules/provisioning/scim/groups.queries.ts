import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { ScimFilter } from '#domain/provisioning/scim-filter.ts'
import type { MemberChange, ScimGroup } from '#domain/provisioning/scim-group.ts'
import type { Kept, Reference } from '#domain/provisioning/scim-resources.ts'
import type { DB } from '#server/db/schema.ts'
import { groupsMeet } from '#server/modules/provisioning/scim/filter.queries.ts'
import type { Page } from '#server/modules/provisioning/scim/users.queries.ts'

type GroupRow = Omit<Selectable<DB['scim_group']>, 'customer_number'>
export type KeptGroup = { readonly group: ScimGroup; readonly kept: Kept }

const ALL = sql`g.group_id, g.display_name, g.external_id, g.created_at, g.changed_at, g.revision`

export async function listGroups(
  db: Kysely<DB>,
  customerNumber: string,
  filter: ScimFilter,
  { offset, limit }: Page,
): Promise<{ groups: KeptGroup[]; total: number }> {
  const meets = groupsMeet(filter, customerNumber)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from scim_group g where g.customer_number = ${customerNumber} and ${meets}`.execute(
    db,
  )
  const total = counted.rows[0]?.total ?? 0
  if (limit === 0 || offset >= total) return { groups: [], total }
  const { rows } = await sql<GroupRow>`
    select ${ALL} from scim_group g where g.customer_number = ${customerNumber} and ${meets}
     order by g.created_at, g.group_id offset ${offset} limit ${limit}`.execute(db)
  return { groups: rows.map(toGroup), total }
}

export async function findGroup(db: Kysely<DB>, customerNumber: string, id: string): Promise<KeptGroup | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${ALL} from scim_group g where g.customer_number = ${customerNumber} and g.group_id = ${id}`.execute(db)
  return rows[0] && toGroup(rows[0])
}

const toGroup = (row: GroupRow): KeptGroup => ({
  group: {
    displayName: row.display_name,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
  },
  kept: { id: row.group_id, createdAt: row.created_at, changedAt: row.changed_at, revision: row.revision },
})

const toColumns = ({ displayName, externalId }: ScimGroup) => ({
  display_name: displayName,
  external_id: externalId ?? null,
})

export async function insertGroup(
  tx: Transaction<DB>,
  customerNumber: string,
  group: ScimGroup,
  at: Date,
): Promise<string> {
  const row = await tx
    .insertInto('scim_group')
    .values({ customer_number: customerNumber, ...toColumns(group), created_at: at, changed_at: at })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  return row.group_id
}

export async function updateGroup(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
  group: ScimGroup,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('scim_group')
    .set({ ...toColumns(group), changed_at: at, revision: sql`revision + 1` })
    .where('customer_number', '=', customerNumber)
    .where('group_id', '=', id)
    .execute()
}

export async function deleteGroup(tx: Transaction<DB>, customerNumber: string, id: string): Promise<void> {
  await tx.deleteFrom('scim_group').where('customer_number', '=', customerNumber).where('group_id', '=', id).execute()
}

/** Members of groups, by the id of the group, each under the name that people read. */
export async function listMembers(
  db: Kysely<DB>,
  customerNumber: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Reference[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Reference & { group: string }>`
    select m.group_id as group, u.user_id as id, coalesce(u.display_name, u.user_name) as name
      from scim_member m join scim_user u on u.customer_number = ${customerNumber} and u.user_id = m.user_id
     where m.customer_number = ${customerNumber} and m.group_id = any (${[...ids]})
     order by u.created_at, u.user_id`.execute(db)
  return Map.groupBy(rows, ({ group }) => group)
}

/** Ids of a list that no user of the account has. */
export async function listUnknownUsers(
  db: Kysely<DB>,
  customerNumber: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${[...ids]}::text[]) as wanted (id)
     where not exists (select 1 from scim_user u where u.customer_number = ${customerNumber} and u.user_id = wanted.id)
     limit 5`.execute(db)
  return rows.map(({ id }) => id)
}

/** Changes members row by row. Answers who came and who went. */
export async function changeMembers(
  tx: Transaction<DB>,
  customerNumber: string,
  groupId: string,
  { isNew, add, remove }: MemberChange,
): Promise<{ added: string[]; removed: string[] }> {
  const [coming, going] = [[...add], [...remove]]
  const isGone = isNew ? sql`m.user_id <> all (${coming}::text[])` : sql`m.user_id = any (${going}::text[])`
  const removed =
    isNew || going.length > 0
      ? await sql<{ id: string }>`
          delete from scim_member m
           where m.customer_number = ${customerNumber} and m.group_id = ${groupId} and ${isGone}
          returning m.user_id as id`.execute(tx)
      : { rows: [] }
  const added =
    coming.length > 0
      ? await sql<{ id: string }>`
          insert into scim_member (customer_number, group_id, user_id)
          select ${customerNumber}::text, ${groupId}::text, id from unnest(${coming}::text[]) as wanted (id)
          on conflict do nothing returning user_id as id`.execute(tx)
      : { rows: [] }
  return { added: added.rows.map(({ id }) => id), removed: removed.rows.map(({ id }) => id) }
}

/** The addresses of people, each once. */
export async function listEmailsOf(db: Kysely<DB>, customerNumber: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ email: string }>`
    select distinct u.email from scim_user u
     where u.customer_number = ${customerNumber} and u.user_id = any (${[...ids]}) and u.email is not null`.execute(db)
  return rows.map(({ email }) => email)
}

/** Whether a group gives anything. */
export async function isMapped(db: Kysely<DB>, customerNumber: string, groupId: string): Promise<boolean> {
  const row = await db
    .selectFrom('scim_mapping')
    .select('group_id')
    .where('customer_number', '=', customerNumber)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  return row !== undefined
}
