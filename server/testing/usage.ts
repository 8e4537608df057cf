import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { claimDeviceIds } from '#server/modules/elastic/credentials/device-ids.queries.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { listMeteredAccounts, listUsageDrift } from '#server/modules/elastic/usage/usage-sums.queries.ts'

/** An account with one elastic license server, `server-<customer number>`. */
export async function addElasticAccount(db: Kysely<DB>, customerNumber: string, timeZone: string): Promise<void> {
  await db
    .insertInto('account')
    .values({ customer_number: customerNumber, name: customerNumber, time_zone: timeZone })
    .execute()
  await addElasticServer(db, customerNumber)
}

/** The server `server-<customer number>` for an account that is there already. */
export async function addElasticServer(db: Kysely<DB>, customerNumber: string): Promise<void> {
  const server = { customer_number: customerNumber, device_id: `server-${customerNumber}` }
  await claimDeviceIds(db, [server])
  await db
    .insertInto('elastic_server')
    .values({ ...server, alias: 'Elastic' })
    .execute()
}

/** Books usage of months that may not have a partition yet. */
export async function bookRows(
  db: Kysely<DB>,
  rows: readonly UsageRow[],
  months: { readonly from: Date; readonly to: Date },
): Promise<void> {
  await ensureUsagePartitions(db, months)
  await db.transaction().execute((tx) => bookUsage(tx, rows))
}

let sessions = 0

/** A finished hour of account C1, unless the values say otherwise. */
export function usageRow(values: Partial<UsageRow> = {}): UsageRow {
  sessions++
  return {
    customer_number: 'C1',
    server_id: `server-${values.customer_number ?? 'C1'}`,
    session_id: `session-${sessions}`,
    session_status: 'Completed',
    started_at: new Date('2026-10-10T08:00:00Z'),
    ends_at: new Date('2026-10-10T09:00:00Z'),
    product: 'Fluid Flow Pro',
    product_count: 1,
    feature_count: 1,
    user_name: 'anna',
    host: 'ws1',
    activation_id: 'A1',
    charge: '7.50',
    currency: 'AEU',
    ...values,
  }
}

export function runningRow(values: Partial<UsageRow> = {}): UsageRow {
  return usageRow({ ends_at: 'infinity', charge: null, activation_id: null, session_status: 'Active', ...values })
}

/** Kept sums that differ from the sum of the rows, in either direction; of every account with a server unless some are named. */
export async function driftedDays(db: Kysely<DB>, customerNumbers?: readonly string[]): Promise<unknown[]> {
  const drifts = []
  for (const customerNumber of customerNumbers ?? (await listMeteredAccounts(db)))
    drifts.push(...(await listUsageDrift(db, customerNumber)))
  return drifts
}
