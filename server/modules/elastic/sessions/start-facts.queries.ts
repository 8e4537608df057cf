import { type Kysely, sql, type Transaction } from 'kysely'
import type { Drawable } from '#domain/elastic/balances/draw-charge.ts'
import { parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { usernameKey } from '#domain/elastic/credentials/usernames.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { drawableJson, type Rates, ratesJson } from '#server/modules/elastic/balances/drawable.queries.ts'
import { PIN_SECRET } from '#server/modules/elastic/credentials/pin.seal.ts'
import {
  lockPinAttempts,
  type PinCaller,
  pinAttempts,
} from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'

/** What decides on the start of a session, as stored. */
export type StartFacts = PinCaller & {
  readonly customer_number: string
  readonly export_control_status: string
  readonly time_zone: string
  readonly sealed_pin: Buffer | null
  readonly secret: Buffer | null
  readonly is_user_allowed: boolean
  readonly is_address_allowed: boolean
  readonly rates: Rates | null
  readonly entitlements: Drawable[]
  /** What the running sessions have cost so far, by currency. */
  readonly accrued: Readonly<Record<string, string>>
}

export type StartRequest = {
  /** The device id of an elastic license server. */
  readonly serverId: string
  readonly product: string
  readonly username: string
  readonly externalIp: string
  /** The address, or network, whose wrong PINs count together. */
  readonly guesser: string
  readonly now: Date
}

/** Undefined if no server has this id. */
export async function findStartFacts(db: Kysely<DB>, request: StartRequest): Promise<StartFacts | undefined> {
  return toFacts(await startFacts.run(db, valuesOf(request)))
}

/**
 * Loads the facts and takes the lock on guesses of the caller in one statement. If another process has the lock, waits for
 * it and loads the facts again, because the statement sees only wrong PINs that were counted before it began.
 */
export async function loadStartFactsLocked(
  tx: Transaction<DB>,
  request: StartRequest,
): Promise<StartFacts | undefined> {
  const rows = await startFacts.run(tx, valuesOf(request))
  if (rows[0]?.is_locked) return toFacts(rows)
  await lockPinAttempts(tx, request.serverId, request.guesser)
  return findStartFacts(tx, request)
}

type FactsRow = { readonly is_locked: boolean } & (StartFacts | { readonly customer_number: null })

const toFacts = ([row]: readonly FactsRow[]): StartFacts | undefined =>
  row && row.customer_number !== null ? row : undefined

const valuesOf = ({ serverId, product, username, externalIp, guesser, now }: StartRequest) => ({
  serverId,
  product,
  usernameKey: usernameKey(username),
  address: toAddress(externalIp),
  guesser,
  now,
})

const startFacts = namedStatement<ReturnType<typeof valuesOf>, FactsRow>(
  'start-facts',
  (v) => sql<FactsRow>`
  select l.is_locked, a.customer_number, a.export_control_status, a.time_zone, f.failures, f.failed_at, pin.sealed_pin,
         g.failures as server_failures, g.since as server_since,
         exists (select 1 from pin_address p
                  where p.customer_number = o.customer_number and p.server_id = o.device_id
                    and p.external_ip = ${v.guesser}::text) as was_right,
         (select secret from installation_secret where name = ${sql.lit(PIN_SECRET)}) as secret,
         not exists (select 1 from elastic_username u
                      where u.customer_number = o.customer_number and u.device_id = o.device_id)
           or exists (select 1 from elastic_username u
                       where u.customer_number = o.customer_number and u.device_id = o.device_id
                         and u.username_key = ${v.usernameKey}::text) as is_user_allowed,
         not exists (select 1 from elastic_ip_rule r
                      where r.customer_number = o.customer_number and r.device_id = o.device_id)
           or exists (select 1 from elastic_ip_rule r
                       where r.customer_number = o.customer_number and r.device_id = o.device_id
                         and r.network >>= ${v.address}::inet) as is_address_allowed,
         ${ratesJson(sql`${v.product}::text`)} as rates,
         ${drawableJson(sql`a.customer_number`)} as entitlements,
         coalesce((select json_object_agg(c.currency, c.amount::text) from (
           select r.currency, sum(${accruedCharge(v.now)}) as amount from usage_transaction_running r
            where r.customer_number = a.customer_number and r.units_per_hour is not null group by 1) c), '{}') as accrued
    from (select pg_try_advisory_xact_lock(${pinAttempts(v.serverId, v.guesser)}) as is_locked) l
    left join (device_owner o join account a on a.customer_number = o.customer_number) on o.device_id = ${v.serverId}::text
    left join elastic_pin pin on pin.customer_number = o.customer_number and pin.device_id = o.device_id
    left join pin_failure f on f.customer_number = o.customer_number and f.server_id = o.device_id
                           and f.external_ip = ${v.guesser}::text
    left join pin_guessing g on g.customer_number = o.customer_number and g.server_id = o.device_id`,
)

/** Null for what is not a single address: no rule allows it. */
const toAddress = (externalIp: string): string | null =>
  externalIp.includes('/') ? null : (parseNetwork(externalIp) ?? null)
