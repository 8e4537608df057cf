import { type Kysely, sql } from 'kysely'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { type SentTransaction, sendUsage } from '#contract/elastic/usage/send-usage.ts'
import type { Operation } from '#contract/kit/operation.ts'
import type { ServiceScope } from '#domain/access/roles.ts'
import { readIpRules } from '#domain/elastic/credentials/ip-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { CURRENT_RATES } from '#server/demo/parts/catalog.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { saveIpRules, savePin, saveUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'
import { OLIVIA } from '#server/testing/activations.ts'
import { type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { addElasticAccount } from '#server/testing/usage.ts'

export const PIN = '482913'
/** Costs 7.5 units an hour in the rate table of the demo data. */
export const PRODUCT = 'Fluid Flow Pro'

type Sold = {
  readonly id: string
  readonly units: number
  readonly from?: string
  readonly to?: string
  readonly currency?: string
  readonly rates?: string
}

async function addEntitlements(db: Kysely<DB>, customerNumber: string, sold: readonly Sold[]): Promise<void> {
  const rows = sold.map(({ id, units, from, to, currency, rates }) => ({
    customer_number: customerNumber,
    activation_id: id,
    entitlement_id: `ENT-${id}`,
    part_number: 'ELA0060110',
    product_name: 'Elastic Units',
    license_model: 'Elastic-AEU',
    line_item_quantity: 1,
    units_per_line: units,
    start_date: from ?? '2020-01-01',
    end_date: to ?? '2099-12-31',
    currency: currency ?? 'AEU',
    rate_table_version: rates ?? CURRENT_RATES,
  }))
  if (rows.length === 0) return
  await claimActivationIds(db, rows)
  await db.insertInto('entitlement').values(rows).execute()
}

type Metered = {
  readonly timeZone?: string
  readonly sold?: readonly Sold[]
  readonly users?: readonly string[]
  readonly addresses?: readonly string[]
}

/** An account with the server `server-<customer number>`, the PIN and what was sold to it. */
export async function addMeteredAccount(
  db: Kysely<DB>,
  customerNumber: string,
  { timeZone = 'UTC', sold = [{ id: `${customerNumber}-1`, units: 100 }], users = [], addresses = [] }: Metered = {},
): Promise<void> {
  await addElasticAccount(db, customerNumber, timeZone)
  await addEntitlements(db, customerNumber, sold)
  const server = { customerNumber, deviceId: `server-${customerNumber}` }
  const read = readIpRules(addresses.map((address) => ({ name: 'Rule', address })))
  if ('error' in read) throw new Error(read.error)
  await db.transaction().execute(async (tx) => {
    await savePin(tx, UNWRAPPED, server, PIN, { email: 'a test', at: new Date() })
    await saveUsernames(tx, server, users)
    await saveIpRules(tx, server, read.rules)
  })
}

/** What is booked on each entitlement of an account that has usage. */
export async function bookedCharges(db: Kysely<DB>, customerNumber: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ activation_id: string; charge: string }>`
    select activation_id, sum(charge)::text as charge from usage_transaction
     where customer_number = ${customerNumber} and ends_at < 'infinity' group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.activation_id, row.charge]))
}

export type MeteredPortal = Awaited<ReturnType<typeof startMeteredPortal>>

/** A portal with a service key of one scope. */
export async function startMeteredPortal(scope: ServiceScope) {
  const portal = await startPortal()
  const { headers } = await giveServiceKey(portal, 'Metering', { scopes: [scope], days: 30 })
  const nobody = await portal.as(null)
  return {
    ...portal,
    /** Calls with the service key. */
    call: (operation: Operation, parts: CallParts) => nobody(operation, { ...parts, headers }),
    /** Signs in again each time: tests of metering turn the clock beyond the life of a session. */
    async asOlivia() {
      const cookie = await signIn(portal.app, OLIVIA)
      return (operation: Operation, parts: CallParts) => callOperation(portal.app, operation, cookie, parts)
    },
    async startSession(customerNumber: string, changes: object = {}) {
      const { body } = await nobody(startSession, { body: sessionRequest(customerNumber, changes), headers })
      return body as {
        status: string
        code?: string
        err?: string
        data: { sessionId: string; heartbeatSeconds: number }
      }
    },
    async sendUsage(transactions: readonly SentTransaction[]) {
      const { status, body } = await nobody(sendUsage, { body: { transactions }, headers })
      return { status, lines: (body.data ?? []) as SentLine[] }
    },
  }
}

/** What starts a session on the server of a metered account. */
export const sessionRequest = (customerNumber: string, changes: object = {}) => ({
  serverId: `server-${customerNumber}`,
  pin: PIN,
  username: 'anna',
  host: 'ws1',
  product: PRODUCT,
  count: 1,
  externalIp: '192.0.2.7',
  ...changes,
})

type SentLine = { readonly id: string; readonly status: string; readonly code?: string; readonly err?: string }

export const codesOf = (lines: readonly SentLine[]) => lines.map(({ status, code }) => code ?? status)

const HOUR = 3_600_000
let ids = 0

/** An hour that ended an hour ago, for 7.50 units. */
export function sentTransaction(
  { clock }: Pick<Portal, 'clock'>,
  customerNumber: string,
  changes: Partial<SentTransaction> = {},
): SentTransaction {
  ids++
  const ended = clock.now().getTime() - HOUR
  return {
    // Lines with equal times are booked in the order of their ids.
    id: `tx-${String(ids).padStart(6, '0')}`,
    serverId: `server-${customerNumber}`,
    product: PRODUCT,
    productCount: 1,
    username: 'anna',
    host: 'ws1',
    startTime: new Date(ended - HOUR).toISOString(),
    endTime: new Date(ended).toISOString(),
    ...changes,
  }
}

/** The request of a demo person to mail last month's statement of an entitlement. */
export async function statementRequest(db: Kysely<DB>, customerNumber: string, now: Date) {
  const { activation_id } = await db
    .selectFrom('entitlement')
    .select('activation_id')
    .where('customer_number', '=', customerNumber)
    .where('kind', '=', 'ELASTIC')
    .where('state', '=', 'Deployed')
    .where('ends_on', '>', now.toISOString().slice(0, 10))
    .orderBy('start_date')
    .executeTakeFirstOrThrow()
  return {
    customerid: customerNumber,
    server: elasticServerId(customerNumber),
    activationid: activation_id,
    date: now.toISOString(),
  }
}
