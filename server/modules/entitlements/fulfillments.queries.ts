import { type Kysely, sql } from 'kysely'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/operations/listed-entitlements.queries.ts'

/** Seats on hosts by activation id, zero included; ids that the account does not have are left out. */
export async function activatedCounts(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await sql<{ activation_id: string; activated_count: number }>`
    select e.activation_id, e.activated_count from entitlement e
     where e.customer_number = ${customerNumber} and e.activation_id = any (${[...new Set(activationIds)]})
       and ${isListedEntitlement}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.activation_id, row.activated_count]))
}

export type SeatsOnHost = { host_name: string; host_id: string; host_id_type: HostIdType; seats: number }

/** Hosts that hold seats of one activation; undefined if the account has no such activation. */
export async function hostsWithSeats(
  db: Kysely<DB>,
  customerNumber: string,
  activationId: string,
): Promise<SeatsOnHost[] | undefined> {
  const { rows } = await sql<{ hosts: SeatsOnHost[] }>`
    select coalesce((
      select json_agg(json_build_object(
               'host_name', h.host_name, 'host_id', h.host_id, 'host_id_type', h.host_id_type, 'seats', s.seats)
             order by s.seats desc, h.host_name, h.host_id)
        from host_seats s join host h using (customer_number, host_id_type, host_id)
       where s.customer_number = e.customer_number and s.activation_id = e.activation_id and s.seats > 0
    ), '[]') as hosts
      from entitlement e
     where e.customer_number = ${customerNumber} and e.activation_id = ${activationId}
       and ${isListedEntitlement}`.execute(db)
  return rows[0]?.hosts
}
