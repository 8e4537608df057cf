import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** The oldest first: where a screen works with one server, it is that one. */
export function listElasticServers(db: Kysely<DB>, customerNumber: string) {
  return db
    .selectFrom('elastic_server')
    .select(['device_id', 'alias'])
    .where('customer_number', '=', customerNumber)
    .orderBy('created_at')
    .orderBy('device_id')
    .execute()
}

/** When usage last arrived for the account, or else for anybody. */
export async function findNewestUsageArrival(db: Kysely<DB>, customerNumber: string | null): Promise<Date | null> {
  const { rows } = await sql<{ arrived_at: Date | null }>`
    select coalesce(
      (select max(usage_arrived_at) from elastic_server where customer_number = ${customerNumber}),
      (select max(usage_arrived_at) from elastic_server)) as arrived_at`.execute(db)
  return rows[0]?.arrived_at ?? null
}

/** Changes whenever usage of the account arrives. Text, because an instant in JavaScript loses the microseconds. */
export async function findUsageVersion(db: Kysely<DB>, customerNumber: string): Promise<string | null> {
  const { rows } = await sql<{ version: string | null }>`
    select extract(epoch from max(usage_arrived_at))::text as version
      from elastic_server where customer_number = ${customerNumber}`.execute(db)
  return rows[0]?.version ?? null
}
