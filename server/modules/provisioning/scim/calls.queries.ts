import { type Insertable, type Kysely, sql } from 'kysely'
import { KEPT_CALLS } from '#domain/provisioning/call-log.ts'
import type { DB } from '#server/db/schema.ts'

/** Keeps a call, and removes the oldest ones of the account. Answers its number. */
export async function insertCall(db: Kysely<DB>, call: Insertable<DB['scim_call']>): Promise<string> {
  const { call_number } = await db
    .insertInto('scim_call')
    .values(call)
    .returning('call_number')
    .executeTakeFirstOrThrow()
  const { customer_number: customerNumber } = call
  await sql`
    delete from scim_call c
     where c.customer_number = ${customerNumber} and c.call_number <= (
       select o.call_number from scim_call o where o.customer_number = ${customerNumber}
        order by o.call_number desc offset ${KEPT_CALLS} limit 1)`.execute(db)
  return call_number
}
