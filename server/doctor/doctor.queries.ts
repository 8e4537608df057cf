import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type Row = Readonly<Record<string, unknown>>
const read = async <T extends Row>(db: Kysely<DB>, statement: ReturnType<typeof sql<T>>) =>
  (await statement.execute(db)).rows

export async function findServer(db: Kysely<DB>): Promise<{ version: string; major: number; now: Date }> {
  const [row] = await read(
    db,
    sql<{ version: string; major: number; now: Date }>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
             clock_timestamp() as now`,
  )
  return row!
}

/**
 * The size of the database, and its directory if that is on this machine and the role may read it. A connection within
 * one machine has the same address at both ends, or none.
 */
export async function findStorage(db: Kysely<DB>): Promise<{ bytes: number; directory: string | null }> {
  const [row] = await read(
    db,
    sql<{ bytes: string; directory: string | null }>`
      select pg_database_size(current_database()) as bytes,
             (select setting from pg_settings where name = 'data_directory'
                 and inet_server_addr() is not distinct from inet_client_addr()) as directory`,
  )
  return { bytes: Number(row?.bytes), directory: row?.directory ?? null }
}

/** What a role could do beyond its grants. Undefined if there is no such role. */
export async function findRolePower(
  db: Kysely<DB>,
  role: string,
): Promise<{ superuser: boolean; owns: boolean } | undefined> {
  const [row] = await read(
    db,
    sql<{ superuser: boolean; owns: boolean }>`
      select rolsuper as superuser,
             exists (select 1 from pg_class where relnamespace = current_schema()::regnamespace
                        and relkind in ('r', 'p') and pg_has_role(pg_roles.oid, relowner, 'USAGE')) as owns
        from pg_roles where rolname = ${role}`,
  )
  return row
}

export async function findCurrentRole(db: Kysely<DB>): Promise<string> {
  const [row] = await read(db, sql<{ name: string }>`select current_user as name`)
  return row!.name
}

export async function hasRelation(db: Kysely<DB>, name: string): Promise<boolean> {
  const [row] = await read(db, sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`)
  return row?.found ?? false
}

/** Entitlements and hosts whose seats are not the sum of their fulfillments. */
export async function listSeatDrift(db: Kysely<DB>): Promise<string[]> {
  const rows = await read(
    db,
    sql<{ name: string }>`
      with ledger as (
        select customer_number, activation_id, host_id_type, host_id, sum(fulfill_count) as seats
          from fulfillment group by 1, 2, 3, 4
      )
      select customer_number || ' ' || activation_id as name
        from (select customer_number, activation_id, sum(seats) as seats from ledger group by 1, 2) l
        full join (select customer_number, activation_id, activated_count from entitlement) e
          using (customer_number, activation_id)
       where coalesce(l.seats, 0) <> coalesce(e.activated_count, 0)
      union
      select customer_number || ' ' || activation_id || ' on ' || host_id
        from ledger l full join host_seats s using (customer_number, activation_id, host_id_type, host_id)
       where coalesce(l.seats, 0) <> coalesce(s.seats, 0)
      order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Contracts whose ordered amount is not the sum of their deployed orders. */
export async function listContractDrift(db: Kysely<DB>): Promise<string[]> {
  const rows = await read(
    db,
    sql<{ name: string }>`
      select c.customer_number || ' ' || c.fsa_id as name from fsa_contract c
       where c.ordered <> coalesce((
         select sum(coalesce(o.price, 0)) from entitlement o
          where o.customer_number = c.customer_number and o.fsa_id = c.fsa_id and o.subtype = 'FSA'
            and o.state = 'Deployed' and o.currency = c.currency), 0)
       order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function findOutboxState(db: Kysely<DB>, now: Date): Promise<{ failed: number; late: number }> {
  const [row] = await read(
    db,
    sql<{ failed: number; late: number }>`
      select count(*) filter (where state = 'failed')::int as failed,
             count(*) filter (where state = 'queued' and next_attempt_at < ${now}::timestamptz - interval '15 minutes')::int as late
        from outbox_message`,
  )
  return row!
}

/** Jobs that failed for good within a day, and jobs that are an hour late. */
export async function findJobState(db: Kysely<DB>, now: Date): Promise<{ failed: string[]; late: string[] }> {
  const rows = await read(
    db,
    sql<{ name: string; state: string }>`
      select distinct name, state::text as state from jobs.job
       where state = 'failed' and completed_on > ${now}::timestamptz - interval '1 day'
          or state in ('created', 'retry') and start_after < ${now}::timestamptz - interval '1 hour'`,
  )
  const named = (isFailed: boolean) =>
    rows.filter(({ state }) => (state === 'failed') === isFailed).map(({ name }) => name)
  return { failed: named(true), late: named(false) }
}

export function listPinServers(db: Kysely<DB>, limit: number) {
  return db
    .selectFrom('elastic_pin')
    .select(['customer_number as customerNumber', 'device_id as deviceId'])
    .limit(limit)
    .execute()
}
