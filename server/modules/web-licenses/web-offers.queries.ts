import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'

export type WebOfferRow = {
  customer_number: string
  customer_name: string
  activation_id: string
  product_name: string
  is_assigned: boolean
}

/** Web licenses that have not ended, of all accounts whose web user the person is and that are open to contacts. */
export async function listWebOffers(
  db: Kysely<DB>,
  email: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<WebOfferRow[]> {
  const { rows } = await sql<WebOfferRow>`
    select a.customer_number, a.name as customer_name, e.activation_id, e.product_name,
           exists (select 1 from web_seat s where s.customer_number = e.customer_number
                      and s.activation_id = e.activation_id and s.email = p.email) as is_assigned
      from web_user p
      join account a on a.customer_number = p.customer_number
      join entitlement e on e.customer_number = p.customer_number
     where p.email = ${email} and ${isOpenToContacts} and e.kind in ('SUBSCRIPTION', 'CONCURRENT')
       and ${isListedEntitlement} and e.ends_on >= (${now}::timestamptz at time zone a.time_zone)::date
     order by a.name, a.customer_number, e.product_name, e.activation_id limit ${limit}`.execute(db)
  return rows
}
