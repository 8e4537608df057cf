import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/**
 * The position at the end of a page of usage. Rows with one id and end are parts of one transaction, in the order of
 * their numbers.
 */
export type UsagePosition = {
  readonly customerNumber: string
  readonly endedAt: string
  readonly id: string
  readonly number: string
  /** Which part of its transaction the row is. */
  readonly part: number
}

export type BookedUsage = {
  readonly customerNumber: string
  readonly number: string
  readonly id: string
  readonly serverId: string
  readonly product: string
  readonly productCount: number
  readonly username: string
  readonly host: string
  readonly startTime: string
  readonly endTime: string
  readonly project: string | null
  readonly version: string
  readonly activationId: string
  readonly charge: string
  readonly correctionOf: string | null
  readonly status: string
  readonly productLine: string
  readonly feature: string
  readonly featureNumber: string
  readonly featureCount: number
  readonly processId: number | null
  readonly cloudJobId: string | null
  readonly internalIp: string | null
  readonly externalIp: string | null
  readonly consumerId: string
  readonly acquisition: string
  readonly changedAt: string
}

const START: UsagePosition = { customerNumber: '', endedAt: '-infinity', id: '', number: '0', part: 0 }

const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Finished usage in an order that depends on its content only, so that an imported export is exported alike. */
export async function pageOfUsage(
  db: Kysely<DB>,
  { customerNumber, endedAt, id, number }: UsagePosition = START,
  limit: number,
): Promise<BookedUsage[]> {
  const { rows } = await sql<BookedUsage>`
    select u.customer_number as "customerNumber", u.transaction_number::text as number, u.session_id as id,
           u.server_id as "serverId", u.product, u.product_count as "productCount", u.user_name as username, u.host,
           ${instant('u.started_at')} as "startTime", ${instant('u.ends_at')} as "endTime", u.project,
           u.product_version as version, u.activation_id as "activationId", u.charge::text as charge,
           u.corrected_session_id as "correctionOf", u.session_status as status, u.product_line as "productLine",
           u.feature, u.feature_number as "featureNumber", u.feature_count as "featureCount", u.process_id as "processId",
           u.cloud_job_id as "cloudJobId", u.internal_ip as "internalIp", u.external_ip as "externalIp",
           u.consumer_id as "consumerId", u.acquisition, ${instant('u.arrived_at')} as "changedAt"
      from usage_transaction u
     where (u.customer_number, u.ends_at, u.session_id, u.transaction_number)
           > (${customerNumber}::text, ${endedAt}::timestamptz, ${id}::text, ${number}::bigint)
       and u.ends_at < 'infinity'
     order by u.customer_number, u.ends_at, u.session_id, u.transaction_number
     limit ${limit}`.execute(db)
  return rows
}
