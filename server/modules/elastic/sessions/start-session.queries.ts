import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

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

/** Writes the row of a running session, which books nothing and needs no lock on the account. False: the server is gone. */
export async function insertSession(tx: Transaction<DB>, session: NewSession): Promise<boolean> {
  const started = await insert.runIn(tx, session)
  return started.length > 0
}

/**
 * Starts a session in a transaction of its own, and keeps that the right PIN was sent from this address. Answers false if
 * wrong PINs are counted against the caller.
 */
export async function insertSessionPlanned(
  database: Database,
  session: NewSession,
  { guesser, was_right }: { readonly guesser: string; readonly was_right: boolean },
): Promise<boolean> {
  const insertion = was_right ? insertChecked : insertFromNewAddress
  const started = await insertion.run(database, { ...session, guesser })
  return started.length > 0
}

/** What a start that was decided from memory relies on. */
export type Reliance = {
  readonly guesser: string
  readonly termsVersion: string | null
  readonly catalogVersion: string
  /** Entitlements that come before the one on which the session begins. */
  readonly usedUp: readonly string[]
}

/** The same, unless something has changed since that would decide otherwise: then it answers false. */
export async function insertSessionRelying(
  database: Database,
  session: NewSession,
  reliance: Reliance,
): Promise<boolean> {
  const started = await insertRelying.run(database, { ...session, ...reliance })
  return started.length > 0
}

type Started = { session_id: string }
type Written<V> = { readonly [K in keyof V]: RawBuilder<unknown> }

/** The lock keeps the server from being removed: a removal waits for it and then finds the session. */
const sessionInsert = (v: Written<NewSession>, condition: RawBuilder<unknown>) => sql<Started>`
  insert into usage_transaction_running (
    customer_number, server_id, session_id, session_status, started_at, product, product_version, product_count, feature,
    feature_count, user_name, host, project, external_ip, acquisition, rate_table_version, activation_id, currency,
    arrived_at, last_heartbeat_at, units_per_hour)
  select s.customer_number, s.device_id, ${v.sessionId}::text, 'Active', ${v.startedAt}::timestamptz, ${v.product}::text,
         ${v.productVersion}::text, ${v.productCount}::int, ${v.feature}::text, ${v.productCount}::int, ${v.userName}::text,
         ${v.host}::text, ${v.project}::text, ${v.externalIp}::text, 'Online', ${v.rateTableVersion}::text,
         ${v.activationId}::text, ${v.currency}::text, ${v.startedAt}::timestamptz, ${v.startedAt}::timestamptz,
         ${v.unitsPerHour}::numeric
    from elastic_server s
   where s.customer_number = ${v.customerNumber}::text and s.device_id = ${v.serverId}::text and ${condition}
     for key share of s
  returning session_id`

const hasNoFailures = (v: Written<NewSession & { guesser: string }>) => sql`not exists (
    select from pin_failure f where f.customer_number = ${v.customerNumber}::text and f.server_id = ${v.serverId}::text
       and f.external_ip = ${v.guesser}::text)`

const insert = namedStatement<NewSession, Started>('start-session-in-turn', (v) => sessionInsert(v, sql`true`))

const insertChecked = namedStatement<NewSession & { guesser: string }, Started>('start-session', (v) =>
  sessionInsert(v, hasNoFailures(v)),
)

const insertFromNewAddress = namedStatement<NewSession & { guesser: string }, Started>(
  'start-session-from-new-address',
  (v) => sql<Started>`
  with started as (${sessionInsert(v, hasNoFailures(v))}),
  known as (
    insert into pin_address (customer_number, server_id, external_ip, right_at)
    select ${v.customerNumber}::text, ${v.serverId}::text, ${v.guesser}::text, ${v.startedAt}::timestamptz from started
    on conflict do nothing)
  select session_id from started`,
)

const left = sql`e.line_item_quantity * e.units_per_line - ${bookedOn()}`
const insertRelying = namedStatement<NewSession & Reliance, Started>('start-session-relying', (v) =>
  sessionInsert(
    v,
    sql`${hasNoFailures(v)}
    and (select t.version from elastic_terms t where t.customer_number = ${v.customerNumber}::text)
        is not distinct from ${v.termsVersion}::xid8
    and (select version from catalog_version) = ${v.catalogVersion}::xid8
    and not exists (
      select from entitlement e
       where e.customer_number = ${v.customerNumber}::text and e.activation_id = any (${v.usedUp}::text[]) and ${left} > 0)
    and (select ${left} from entitlement e
          where e.customer_number = ${v.customerNumber}::text and e.activation_id = ${v.activationId}::text)
        > coalesce((select sum(${accruedCharge(v.startedAt)}) from usage_transaction_running r
                     where r.customer_number = ${v.customerNumber}::text and r.currency = ${v.currency}::text), 0)`,
  ),
)
