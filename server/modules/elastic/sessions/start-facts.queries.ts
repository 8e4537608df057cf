import { type Kysely, sql } from 'kysely'
import type { Drawable } from '#domain/elastic/balances/draw-charge.ts'
import { parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { usernameKey } from '#domain/elastic/credentials/usernames.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import type { PersonFacts } from '#domain/provisioning/person-facts.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { drawableJson, type Rates, ratesJson } from '#server/modules/elastic/balances/drawable.queries.ts'
import { PIN_SECRET } from '#server/modules/elastic/credentials/pin.seal.ts'
import type { PinCaller } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import {
  productRulesJson,
  type StartLimit,
  startLimitsJson,
  startPersonJson,
} from '#server/modules/elastic/limits/start-limits.queries.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'

/** The stored facts that decide on the start of a session. */
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
  /** The cost of running sessions so far, by currency. */
  readonly accrued: Readonly<Record<string, string>>
  readonly limits: StartLimit[]
  readonly product_rules: ProductRule[]
  /** Null for a user whom the identity provider does not know, or if no limit asks. */
  readonly person: PersonFacts | null
}

export type StartRequest = {
  readonly customerNumber: string
  /** The device id of an elastic license server. */
  readonly serverId: string
  readonly product: string
  readonly project?: string | undefined
  readonly username: string
  readonly externalIp: string
  /** The address, or network, whose wrong PINs count together. */
  readonly guesser: string
  readonly now: Date
}

/**
 * Undefined: the server is gone. Otherwise the lock on its row keeps it from being removed: a removal waits for it and then
 * finds the session. Lock the guesses first, so that every wrong PIN before this one is counted.
 */
export async function loadStartFacts(
  db: Kysely<DB>,
  { customerNumber, serverId, product, project = '', username, externalIp, guesser, now }: StartRequest,
): Promise<StartFacts | undefined> {
  const [facts] = await startFacts.run(db, {
    customerNumber,
    serverId,
    product,
    project,
    username,
    usernameKey: usernameKey(username),
    address: toAddress(externalIp),
    guesser,
    now,
  })
  return facts
}

type FactsValues = Pick<StartRequest, 'customerNumber' | 'serverId' | 'product' | 'username' | 'guesser' | 'now'> & {
  readonly project: string
  readonly usernameKey: string
  readonly address: string | null
}

const startFacts = namedStatement<FactsValues, StartFacts>('start-facts', (v) => {
  const customer = sql<string>`${v.customerNumber}::text`
  const server = sql`${v.serverId}::text`
  const product = sql<string>`${v.product}::text`
  const userKey = sql`lower(${v.username}::text collate "C")`
  const limited = { customer, userKey, project: sql`${v.project}::text`, product, now: v.now }
  return sql<StartFacts>`
  select a.customer_number, a.export_control_status, a.time_zone, f.failures, f.failed_at, pin.sealed_pin,
         g.failures as server_failures, g.since as server_since,
         exists (select 1 from pin_address p
                  where p.customer_number = ${customer} and p.server_id = ${server}
                    and p.external_ip = ${v.guesser}::text) as was_right,
         (select secret from installation_secret where name = ${sql.lit(PIN_SECRET)}) as secret,
         not exists (select 1 from elastic_username u where u.customer_number = ${customer} and u.device_id = ${server})
           or exists (select 1 from elastic_username u
                       where u.customer_number = ${customer} and u.device_id = ${server}
                         and u.username_key = ${v.usernameKey}::text) as is_user_allowed,
         not exists (select 1 from elastic_ip_rule r where r.customer_number = ${customer} and r.device_id = ${server})
           or exists (select 1 from elastic_ip_rule r
                       where r.customer_number = ${customer} and r.device_id = ${server}
                         and r.network >>= ${v.address}::inet) as is_address_allowed,
         ${ratesJson(product)} as rates,
         ${drawableJson(customer)} as entitlements,
         coalesce((select json_object_agg(c.currency, c.amount::text) from (
           select r.currency, sum(${accruedCharge(v.now)}) as amount from usage_transaction_running r
            where r.customer_number = ${customer} and r.units_per_hour is not null group by 1) c), '{}') as accrued,
         ${startLimitsJson(limited)} as limits, ${productRulesJson(customer, userKey)} as product_rules,
         ${startPersonJson(customer, userKey)} as person
    from account a
    join elastic_server s on s.customer_number = ${customer} and s.device_id = ${server}
    left join elastic_pin pin on pin.customer_number = ${customer} and pin.device_id = ${server}
    left join pin_failure f on f.customer_number = ${customer} and f.server_id = ${server}
                           and f.external_ip = ${v.guesser}::text
    left join pin_guessing g on g.customer_number = ${customer} and g.server_id = ${server}
   where a.customer_number = ${customer}
     for key share of s`
})

/** Null for text that is not a single address: no rule allows it. */
const toAddress = (externalIp: string): string | null =>
  externalIp.includes('/') ? null : (parseNetwork(externalIp) ?? null)
