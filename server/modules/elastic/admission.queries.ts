import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { PIN_SECRET } from '#server/modules/elastic/pin.seal.ts'

/** All that decides whether a session may start on a server, in one statement. `address` is null if it is not valid. */
export async function findAdmissionFacts(
  db: Kysely<DB>,
  { serverId, usernameKey, address }: { serverId: string; usernameKey: string; address: string | null },
) {
  const { rows } = await sql<{
    customer_number: string
    sealed_pin: Buffer | null
    secret: Buffer | null
    is_user_allowed: boolean
    is_address_allowed: boolean
  }>`
    select owner.customer_number, pin.sealed_pin,
           (select secret from installation_secret where name = ${PIN_SECRET}) as secret,
           not exists (select from elastic_username u
                        where u.customer_number = owner.customer_number and u.device_id = owner.device_id)
             or exists (select from elastic_username u
                         where u.customer_number = owner.customer_number and u.device_id = owner.device_id
                           and u.username_key = ${usernameKey}) as is_user_allowed,
           not exists (select from elastic_ip_rule r
                        where r.customer_number = owner.customer_number and r.device_id = owner.device_id)
             or exists (select from elastic_ip_rule r
                         where r.customer_number = owner.customer_number and r.device_id = owner.device_id
                           and r.network >>= ${address}::inet) as is_address_allowed
      from device_owner owner
      left join elastic_pin pin on pin.customer_number = owner.customer_number and pin.device_id = owner.device_id
     where owner.device_id = ${serverId}`.execute(db)
  return rows[0]
}
