import { type Kysely, sql } from 'kysely'
import type { Mapping, Person } from '#domain/provisioning/wanted-access.ts'
import type { DB } from '#server/db/schema.ts'

export type NamedPerson = Person & {
  readonly name: string
  /** The name of the web user; null if the person is none. */
  readonly webName: string | null
}

/** Active people from outside who have an email address, with what they have. Several users of one address are one person. */
export async function listPeople(
  db: Kysely<DB>,
  customerNumber: string,
  emails?: readonly string[],
): Promise<NamedPerson[]> {
  const { rows } = await sql<NamedPerson>`
    with known as (
      select u.email,
             coalesce(max(coalesce(u.display_name, u.attributes #>> '{name,formatted}',
               concat_ws(' ', u.attributes #>> '{name,givenName}', u.attributes #>> '{name,familyName}'))), '') as name
        from scim_user u
       where u.customer_number = ${customerNumber} and u.is_active and u.email is not null
         and (${emails ?? null}::text[] is null or u.email = any (${emails ?? []}))
       group by u.email)
    select p.email, p.name,
           array(select distinct m.group_id from scim_user u
                   join scim_member m on m.customer_number = ${customerNumber} and m.user_id = u.user_id
                  where u.customer_number = ${customerNumber} and u.email = p.email and u.is_active) as "groupIds",
           (select g.target from scim_given g
             where g.customer_number = ${customerNumber} and g.email = p.email and g.kind = 'role') as "givenRole",
           array(select g.target from scim_given g
                  where g.customer_number = ${customerNumber} and g.email = p.email and g.kind = 'web-group') as "givenWebGroups",
           (select c.role from contact c where c.customer_number = ${customerNumber} and c.email = p.email) as role,
           array(select w.group_id from web_group_member w
                  where w.customer_number = ${customerNumber} and w.email = p.email) as "webGroups",
           (select w.name from web_user w where w.customer_number = ${customerNumber} and w.email = p.email) as "webName"
      from known p order by p.email`.execute(db)
  return rows
}

export async function listMappings(db: Kysely<DB>, customerNumber: string): Promise<Mapping[]> {
  return db
    .selectFrom('scim_mapping')
    .select(['group_id as groupId', 'role', 'web_group_id as webGroupId'])
    .where('customer_number', '=', customerNumber)
    .execute()
}

/** Accounts where somebody is to be in a web group and is not, for want of a seat. */
export async function listAccountsHoldingBack(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select distinct g.customer_number from scim_given g
     where g.kind = 'web-group'
       and not exists (select 1 from web_group_member w where w.customer_number = g.customer_number
                          and w.group_id = g.target and w.email = g.email)
     order by 1`.execute(db)
  return rows.map(({ customer_number }) => customer_number)
}
