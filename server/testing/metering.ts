import { type Kysely, sql } from 'kysely'
import { readIpRules } from '#domain/elastic/ip-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { CURRENT_RATES } from '#server/demo/catalog.demo.ts'
import { saveIpRules, savePin, saveUsernames } from '#server/modules/elastic/credentials.queries.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'
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
    await savePin(tx, server, PIN, { email: 'a test', at: new Date() })
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
