import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { SeatPair } from '#server/modules/web-licenses/seats.queries.ts'

export type GroupPair = { readonly activationId: string; readonly groupId: string }
/** The person who assigned, and the time. */
export type Signed = { readonly by: string; readonly at: Date }

export async function insertUserAssignments(
  tx: Transaction<DB>,
  customerNumber: string,
  pairs: readonly SeatPair[],
  { by, at }: Signed,
): Promise<void> {
  await sql`
    insert into web_user_assignment (customer_number, activation_id, email, assigned_at, assigned_by)
    select ${customerNumber}::text, activation_id, email, ${at}::timestamptz, ${by}::text
      from unnest(${pairs.map((one) => one.activationId)}::text[], ${pairs.map((one) => one.email)}::text[])
        as wanted (activation_id, email)
    on conflict do nothing`.execute(tx)
}

export async function insertGroupAssignments(
  tx: Transaction<DB>,
  customerNumber: string,
  pairs: readonly GroupPair[],
  { by, at }: Signed,
): Promise<void> {
  await sql`
    insert into web_group_assignment (customer_number, activation_id, group_id, assigned_at, assigned_by)
    select ${customerNumber}::text, activation_id, group_id, ${at}::timestamptz, ${by}::text
      from unnest(${pairs.map((one) => one.activationId)}::text[], ${pairs.map((one) => one.groupId)}::text[])
        as wanted (activation_id, group_id)
    on conflict do nothing`.execute(tx)
}

/** Existing assignments of users by name, as `activation id, email`. */
export async function listUserAssignments(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<SeatPair[]> {
  return db
    .selectFrom('web_user_assignment')
    .select(['activation_id as activationId', 'email'])
    .where('customer_number', '=', customerNumber)
    .where('activation_id', 'in', activationIds)
    .execute()
}

export async function listGroupAssignments(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<GroupPair[]> {
  return db
    .selectFrom('web_group_assignment')
    .select(['activation_id as activationId', 'group_id as groupId'])
    .where('customer_number', '=', customerNumber)
    .where('activation_id', 'in', activationIds)
    .execute()
}

/** The entitlements that a group is assigned to. */
export async function listEntitlementsOfGroup(
  db: Kysely<DB>,
  customerNumber: string,
  groupIds: readonly string[],
): Promise<GroupPair[]> {
  if (groupIds.length === 0) return []
  return db
    .selectFrom('web_group_assignment')
    .select(['activation_id as activationId', 'group_id as groupId'])
    .where('customer_number', '=', customerNumber)
    .where('group_id', 'in', groupIds)
    .orderBy('activation_id')
    .execute()
}

export async function deleteUserAssignments(
  tx: Transaction<DB>,
  customerNumber: string,
  pairs: readonly SeatPair[],
): Promise<void> {
  await sql`
    delete from web_user_assignment a
     where a.customer_number = ${customerNumber} and (a.activation_id, a.email) in (
       select * from unnest(${pairs.map((one) => one.activationId)}::text[], ${pairs.map((one) => one.email)}::text[]))`.execute(
    tx,
  )
}

export async function deleteGroupAssignments(
  tx: Transaction<DB>,
  customerNumber: string,
  pairs: readonly GroupPair[],
): Promise<void> {
  await sql`
    delete from web_group_assignment a
     where a.customer_number = ${customerNumber} and (a.activation_id, a.group_id) in (
       select * from unnest(${pairs.map((one) => one.activationId)}::text[], ${pairs.map((one) => one.groupId)}::text[]))`.execute(
    tx,
  )
}
