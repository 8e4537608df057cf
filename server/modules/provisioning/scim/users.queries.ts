import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { foldCase, type ScimFilter } from '#domain/provisioning/scim-filter.ts'
import type { Kept, Reference } from '#domain/provisioning/scim-resources.ts'
import { ENTERPRISE_SCHEMA } from '#domain/provisioning/scim-schema.ts'
import { emailOf, type ScimUser } from '#domain/provisioning/scim-user.ts'
import type { DB } from '#server/db/schema.ts'
import { usersMeet } from '#server/modules/provisioning/scim/filter.queries.ts'

type UserRow = Omit<Selectable<DB['scim_user']>, 'customer_number' | 'user_name_key'>
export type KeptUser = { readonly user: ScimUser; readonly email: string | null; readonly kept: Kept }

const ALL = sql`u.user_id, u.user_name, u.external_id, u.display_name, u.email, u.is_active, u.department, u.cost_center,
  u.attributes, u.created_at, u.changed_at, u.revision`

export type Page = { readonly offset: number; readonly limit: number }

/** People who meet a filter, the first to come first, and how many they are. */
export async function listUsers(
  db: Kysely<DB>,
  customerNumber: string,
  filter: ScimFilter,
  { offset, limit }: Page,
): Promise<{ users: KeptUser[]; total: number }> {
  const meets = usersMeet(filter)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from scim_user u where u.customer_number = ${customerNumber} and ${meets}`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  if (limit === 0 || offset >= total) return { users: [], total }
  const { rows } = await sql<UserRow>`
    select ${ALL} from scim_user u where u.customer_number = ${customerNumber} and ${meets}
     order by u.created_at, u.user_id offset ${offset} limit ${limit}`.execute(db)
  return { users: rows.map(toUser), total }
}

export async function findUser(db: Kysely<DB>, customerNumber: string, id: string): Promise<KeptUser | undefined> {
  const { rows } = await sql<UserRow>`
    select ${ALL} from scim_user u where u.customer_number = ${customerNumber} and u.user_id = ${id}`.execute(db)
  return rows[0] && toUser(rows[0])
}

function toUser(row: UserRow): KeptUser {
  const { enterprise, ...attributes } = row.attributes
  const extension = {
    ...enterprise,
    ...(row.cost_center === null ? {} : { costCenter: row.cost_center }),
    ...(row.department === null ? {} : { department: row.department }),
  }
  return {
    user: {
      userName: row.user_name,
      ...(row.external_id === null ? {} : { externalId: row.external_id }),
      ...attributes,
      ...(row.display_name === null ? {} : { displayName: row.display_name }),
      active: row.is_active,
      ...(Object.keys(extension).length > 0 ? { [ENTERPRISE_SCHEMA]: extension } : {}),
    },
    email: row.email,
    kept: { id: row.user_id, createdAt: row.created_at, changedAt: row.changed_at, revision: row.revision },
  }
}

function toColumns(user: ScimUser) {
  const { userName, externalId, displayName, active, [ENTERPRISE_SCHEMA]: extension = {}, ...attributes } = user
  const { department, costCenter, ...enterprise } = extension
  return {
    user_name: userName,
    user_name_key: foldCase(userName),
    external_id: externalId ?? null,
    display_name: displayName ?? null,
    email: emailOf(user) ?? null,
    is_active: active,
    department: department ?? null,
    cost_center: costCenter ?? null,
    attributes: JSON.stringify({ ...attributes, ...(Object.keys(enterprise).length > 0 ? { enterprise } : {}) }),
  }
}

/** Undefined if the account has a user of this name. */
export async function insertUser(
  tx: Transaction<DB>,
  customerNumber: string,
  user: ScimUser,
  at: Date,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('scim_user')
    .values({ customer_number: customerNumber, ...toColumns(user), created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.constraint('scim_user_name_is_unique').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** False if another user of the account has the name. The account is locked. */
export async function updateUser(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
  user: ScimUser,
  at: Date,
): Promise<boolean> {
  const columns = toColumns(user)
  const { numUpdatedRows } = await tx
    .updateTable('scim_user as u')
    .set({ ...columns, changed_at: at, revision: sql`u.revision + 1` })
    .where('u.customer_number', '=', customerNumber)
    .where('u.user_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scim_user as other')
            .select('other.user_id')
            .where('other.customer_number', '=', customerNumber)
            .where('other.user_name_key', '=', columns.user_name_key)
            .where('other.user_id', '<>', id),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteUser(tx: Transaction<DB>, customerNumber: string, id: string): Promise<void> {
  await tx.deleteFrom('scim_user').where('customer_number', '=', customerNumber).where('user_id', '=', id).execute()
}

/** Whether an active user has the address: then the person stays. */
export async function hasActiveUser(db: Kysely<DB>, customerNumber: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('scim_user')
    .select('user_id')
    .where('customer_number', '=', customerNumber)
    .where('email', '=', email)
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The groups of people, by the id of the person. */
export async function listGroupsOf(
  db: Kysely<DB>,
  customerNumber: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Reference[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Reference & { user: string }>`
    select m.user_id as user, g.group_id as id, g.display_name as name
      from scim_member m join scim_group g on g.customer_number = ${customerNumber} and g.group_id = m.group_id
     where m.customer_number = ${customerNumber} and m.user_id = any (${[...ids]})
     order by g.created_at, g.group_id`.execute(db)
  return Map.groupBy(rows, ({ user }) => user)
}
