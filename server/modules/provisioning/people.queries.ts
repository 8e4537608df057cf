import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PersonFacts } from '#domain/provisioning/person-facts.ts'
import type { DB } from '#server/db/schema.ts'

/**
 * The people of a customer by the names under which usage may know them, as rows (user_key, department, cost_center): the user name,
 * the email, and the part of both before the @. A whole name goes before a part of another one. A name that fits several
 * people says nothing.
 */
export const peopleByName = (customer: RawBuilder<unknown>) => sql`(
  select k.user_key, coalesce(max(k.department), '') as department, coalesce(max(k.cost_center), '') as cost_center
    from (select n.user_key, n.is_whole, u.user_id, u.department, u.cost_center,
                 bool_or(n.is_whole) over (partition by n.user_key) as has_whole
            from scim_user u
           cross join lateral (values (u.user_name_key, true), (u.email, true), (split_part(u.user_name_key, '@', 1), false),
                                      (split_part(u.email, '@', 1), false)) n (user_key, is_whole)
           where u.customer_number = ${customer} and n.user_key <> '') k
   where k.is_whole = k.has_whole
   group by k.user_key having count(distinct k.user_id) = 1)`

/** Departments and cost centers of people by the keys of their usernames. */
export async function loadPeople(db: Kysely<DB>, customerNumber: string): Promise<ReadonlyMap<string, PersonFacts>> {
  const { rows } = await sql<PersonFacts & { key: string }>`
    select p.user_key as key, p.department, p.cost_center as "costCenter"
      from ${peopleByName(sql`${customerNumber}`)} p`.execute(db)
  return new Map(rows.map(({ key, ...facts }) => [key, facts]))
}
