import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { executeNamed } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { accruedCharge } from '#server/modules/elastic/sessions.queries.ts'
import { runningInsert, type UsageRow } from '#server/modules/elastic/usage-booking.queries.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

export type NewSession = {
  readonly usage: UsageRow & { readonly started_at: Date; readonly activation_id: string }
  readonly unitsPerHour: string
}

/** Starts a session: the usage row that the screens show, and the row that heartbeats keep. Needs no lock on the account. */
export async function insertSession(tx: Transaction<DB>, session: NewSession): Promise<void> {
  await sessionInsert(session, sql`true`).execute(tx)
}

/** The same as a transaction of its own, unless wrong PINs are counted against the caller: then it answers false. */
export async function insertSessionPlanned(database: Database, session: NewSession, guesser: string): Promise<boolean> {
  const started = await executeNamed(
    database,
    'start-session',
    sessionInsert(session, hasNoFailures(session.usage, guesser)),
  )
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
  { guesser, termsVersion, catalogVersion, usedUp }: Reliance,
): Promise<boolean> {
  const { customer_number, activation_id, currency, started_at } = session.usage
  const left = sql`e.line_item_quantity * e.units_per_line - ${bookedOn()}`
  const condition = sql<boolean>`${hasNoFailures(session.usage, guesser)}
    and (select t.version from elastic_terms t where t.customer_number = ${customer_number})
        is not distinct from ${termsVersion}::xid8
    and (select version from catalog_version) = ${catalogVersion}::xid8
    and not exists (
      select from entitlement e where e.customer_number = ${customer_number} and e.activation_id = any (${[...usedUp]})
         and ${left} > 0)
    and (select ${left} from entitlement e where e.customer_number = ${customer_number} and e.activation_id = ${activation_id})
        > coalesce((select sum(${accruedCharge(started_at)}) from elastic_session s
                     where s.customer_number = ${customer_number} and s.currency = ${currency}), 0)`
  const started = await executeNamed(database, 'start-session-relying', sessionInsert(session, condition))
  return started.length > 0
}

const hasNoFailures = (
  { customer_number, server_id }: NewSession['usage'],
  guesser: string,
) => sql<boolean>`not exists (
    select from pin_failure f where f.customer_number = ${customer_number} and f.server_id = ${server_id}
       and f.external_ip = ${guesser})`

const sessionInsert = ({ usage, unitsPerHour }: NewSession, condition: RawBuilder<boolean>) => sql<{
  session_id: string
}>`
  with started as (
    ${runningInsert(usage, condition)}
    returning customer_number, session_id, transaction_number, server_id, activation_id, started_at, product_count, currency)
  insert into elastic_session (customer_number, session_id, transaction_number, server_id, activation_id, started_at,
                               last_heartbeat_at, product_count, units_per_hour, currency)
  select customer_number, session_id, transaction_number, server_id, activation_id, started_at, started_at, product_count,
         ${unitsPerHour}, currency from started
  returning session_id`
