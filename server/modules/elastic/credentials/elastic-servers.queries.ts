import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { beginsWith, containsText } from '#server/lists/like-pattern.ts'

/** Lists the oldest first: screens that work with one server use the first. */
export function listElasticServers(db: Kysely<DB>, customerNumber: string) {
  return db
    .selectFrom('elastic_server')
    .select(['device_id', 'alias'])
    .where('customer_number', '=', customerNumber)
    .orderBy('created_at')
    .orderBy('device_id')
    .execute()
}

/**
 * When usage last arrived for the account, or else for anybody. The start of a session does not write the row of its server:
 * running sessions that were started here count as well.
 */
export async function findNewestUsageArrival(db: Kysely<DB>, customerNumber: string | null): Promise<Date | null> {
  const own =
    customerNumber === null ? null : await findNewestWhere(db, sql<SqlBool>`customer_number = ${customerNumber}`)
  return own ?? (await findNewestWhere(db, sql<SqlBool>`true`))
}

async function findNewestWhere(db: Kysely<DB>, isMeant: RawBuilder<SqlBool>): Promise<Date | null> {
  const { rows } = await sql<{ arrived_at: Date | null }>`
    select greatest((select max(usage_arrived_at) from elastic_server where ${isMeant}),
                    (select max(started_at) from usage_transaction_running
                      where ${isMeant} and units_per_hour is not null)) as arrived_at`.execute(db)
  return rows[0]?.arrived_at ?? null
}

/** A value that changes with every booking for the account, and with every session that starts. */
export async function findUsageVersion(db: Kysely<DB>, customerNumber: string): Promise<string | null> {
  const { rows } = await sql<{ booked: string | null; running: string }>`
    select (select sum(transactions) from usage_total where customer_number = ${customerNumber}) as booked,
           (select count(*) from usage_transaction_running where customer_number = ${customerNumber}) as running`.execute(
    db,
  )
  const { booked = null, running = '0' } = rows[0] ?? {}
  return booked === null && running === '0' ? null : `${booked ?? 0} ${running}`
}

export type FoundServer = { customer_number: string; device_id: string; alias: string }

/** The elastic license server of one account, by a part of its id or alias. */
export async function searchElasticServers(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundServer[]> {
  const { rows } = await sql<FoundServer>`
    select s.customer_number, s.device_id, s.alias from elastic_server s
     where s.customer_number = ${customerNumber}
       and (${containsText(sql`s.device_id`, text)} or ${containsText(sql`s.alias`, text)})
     order by s.device_id limit ${limit}`.execute(db)
  return rows
}

/** Elastic license servers of any account whose id begins with the text. */
export async function findElasticServers(db: Kysely<DB>, text: string, limit: number): Promise<FoundServer[]> {
  const { rows } = await sql<FoundServer>`
    select o.customer_number, o.device_id, s.alias
      from device_owner o join elastic_server s using (customer_number, device_id)
     where ${beginsWith(sql`o.device_id`, text)} order by o.device_id limit ${limit}`.execute(db)
  return rows
}

type LateServer = {
  readonly customer_number: string
  readonly account_name: string
  readonly device_id: string
  readonly usage_arrived_at: Date
}

/** The newest arrival of usage for anybody, and the servers whose newest arrived within a time, the most recent first. */
export async function findUsageArrivals(
  db: Kysely<DB>,
  { from, to }: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<{ newestAt: Date | null; lateCount: number; late: LateServer[] }> {
  const { rows } = await sql<{ newest: Date | null; late: number }>`
    select max(usage_arrived_at) as newest,
           (count(*) filter (where usage_arrived_at >= ${from} and usage_arrived_at < ${to}))::int as late
      from elastic_server`.execute(db)
  const { rows: late } = await sql<LateServer>`
    select s.customer_number, a.name as account_name, s.device_id, s.usage_arrived_at
      from elastic_server s join account a on a.customer_number = s.customer_number
     where s.usage_arrived_at >= ${from} and s.usage_arrived_at < ${to}
     order by s.usage_arrived_at desc, s.device_id limit ${limit}`.execute(db)
  return { newestAt: rows[0]?.newest ?? null, lateCount: rows[0]?.late ?? 0, late }
}
