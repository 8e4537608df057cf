import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type Person = {
  readonly userName: string
  readonly email?: string
  readonly name?: string
  readonly department?: string
  readonly costCenter?: string
}

/** People as if an identity provider had sent them, without what groups would give them. */
export async function addScimUsers(
  { db, clock }: { db: Kysely<DB>; clock: { now(): Date } },
  customerNumber: string,
  people: readonly Person[],
): Promise<void> {
  const now = clock.now()
  await db
    .insertInto('scim_user')
    .values(
      people.map(({ userName, email, name, department, costCenter }) => ({
        customer_number: customerNumber,
        user_name: userName,
        user_name_key: userName.toLowerCase(),
        external_id: null,
        display_name: name ?? null,
        email: email ?? null,
        is_active: true,
        department: department ?? null,
        cost_center: costCenter ?? null,
        attributes: JSON.stringify({}) as never,
        created_at: now,
        changed_at: now,
      })),
    )
    .execute()
}
