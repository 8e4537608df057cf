import { sql, type Transaction } from 'kysely'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'

export type NewSession = {
  readonly customerNumber: string
  readonly serverId: string
  readonly sessionId: string
  readonly startedAt: Date
  readonly product: string
  readonly productVersion: string
  readonly productCount: number
  readonly feature: string
  readonly userName: string
  readonly host: string
  readonly project: string | null
  readonly externalIp: string
  readonly rateTableVersion: string
  readonly activationId: string
  readonly currency: string
  readonly unitsPerHour: string
}

/** Writes the row of a running session, which books nothing and needs no lock on the account. */
export async function insertSession(tx: Transaction<DB>, session: NewSession): Promise<void> {
  await insert.run(tx, session)
}

const insert = namedStatement<NewSession, never>(
  'start-session',
  (v) => sql`
  insert into usage_transaction_running (
    customer_number, server_id, session_id, session_status, started_at, product, product_version, product_count, feature,
    feature_count, user_name, host, project, external_ip, acquisition, rate_table_version, activation_id, currency,
    arrived_at, last_heartbeat_at, units_per_hour)
  values (
    ${v.customerNumber}::text, ${v.serverId}::text, ${v.sessionId}::text, 'Active', ${v.startedAt}::timestamptz,
    ${v.product}::text, ${v.productVersion}::text, ${v.productCount}::int, ${v.feature}::text, ${v.productCount}::int,
    ${v.userName}::text, ${v.host}::text, ${v.project}::text, ${v.externalIp}::text, 'Online', ${v.rateTableVersion}::text,
    ${v.activationId}::text, ${v.currency}::text, ${v.startedAt}::timestamptz, ${v.startedAt}::timestamptz,
    ${v.unitsPerHour}::numeric)`,
)
