import { sql } from 'kysely'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { loadUsage } from '#server/demo/load-usage.ts'
import { seededRandom } from '#server/demo/random.ts'
import { usageNames } from '#server/demo/usage-names.ts'
import { type UsageBatch, type UsagePlan, usageBatches } from '#server/demo/usage-sessions.ts'

const CUSTOMERS = 200
/** November 2024 to October 2026. */
const MONTHS = Array.from({ length: 24 }, (_, at) => ({
  from: new Date(Date.UTC(2024, 10 + at, 1)),
  to: new Date(Date.UTC(2024, 11 + at, 1)),
}))
const LARGEST_SHARE = 0.1
const AVERAGE_CENTS = 130

export const LARGEST = '300001'
export const READER = 'reader@bench.example'
/** The newest whole month. */
export const MONTH = { from: '2026-09-30T23:59:59.999Z', to: '2026-11-01T00:00:00.000Z' }
/** All of it. */
export const EVER = { from: '2018-01-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }

const customerNumber = (at: number) => String(300_001 + at)
const serverOf = (customer: string) => `cls-bench-${customer}`
const entitlementOf = (customer: string) => `bench-${customer}`

/**
 * Makes the accounts and so many transactions: 200 customers, the largest holding a tenth. What a former run has made is
 * kept, month by month, so that one that was interrupted is gone on with. With fewer months it makes the newest ones only,
 * each as large as it is among all.
 */
export async function ensureUsage(
  database: OpenedDatabase,
  rows: number,
  say: (line: string) => void,
  months = MONTHS.length,
): Promise<void> {
  const { db } = database
  await sql`create table if not exists bench_month (first_day date primary key)`.execute(db)
  const { rows: made } = await sql<{ first_day: string }>`select first_day from bench_month`.execute(db)
  const missing = MONTHS.slice(-months).filter(({ from }) => !made.some(({ first_day }) => first_day === dayOf(from)))
  if (missing.length === 0) return
  say(`making ${rows.toLocaleString('en')} transactions in ${database.name}; this is done once`)
  await insertAccounts(database)
  const shares = sharesOf(rows / MONTHS.length)
  for (const { from, to } of missing) {
    await db.transaction().execute(async (tx) => {
      // The indexes of a large month are sorted in memory.
      await sql`set local maintenance_work_mem = '1GB'`.execute(tx)
      await loadUsage(tx, monthOfUsage(shares, from, to))
      await sql`insert into bench_month values (${dayOf(from)})`.execute(tx)
    })
    say(`  ${dayOf(from)}`)
  }
  say('  vacuum analyze')
  await sql`vacuum (analyze) usage_transaction`.execute(db)
  await sql`vacuum (analyze) usage_day`.execute(db)
}

const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

export async function insertAccounts({ db }: OpenedDatabase): Promise<void> {
  const numbers = Array.from({ length: CUSTOMERS }, (_, at) => customerNumber(at))
  await sql`insert into account (customer_number, name, org_type)
    select n, 'Bench ' || n, 'Direct' from unnest(${numbers}::text[]) n on conflict do nothing`.execute(db)
  await sql`insert into device_owner (device_id, customer_number)
    select 'cls-bench-' || n, n from unnest(${numbers}::text[]) n on conflict do nothing`.execute(db)
  await sql`insert into elastic_server (customer_number, device_id, alias)
    select n, 'cls-bench-' || n, 'Bench' from unnest(${numbers}::text[]) n on conflict do nothing`.execute(db)
  await sql`insert into activation_owner (activation_id, customer_number)
    select 'bench-' || n, n from unnest(${numbers}::text[]) n on conflict do nothing`.execute(db)
  await sql`insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
      line_item_quantity, units_per_line, start_date, end_date)
    select n, 'bench-' || n, 'ENT-' || n, 'ELA0060110', 'Elastic Units', 'Elastic-AEU', 100, 1000000, '2024-01-01', '2027-12-31'
      from unnest(${numbers}::text[]) n on conflict do nothing`.execute(db)
  await sql`insert into contact (customer_number, email, role) values (${LARGEST}, ${READER}, ${ADMINISTRATOR})
    on conflict do nothing`.execute(db)
}

/** One customer has a tenth of the transactions, the others fewer and fewer. */
function sharesOf(rows: number): number[] {
  const weights = Array.from({ length: CUSTOMERS - 1 }, (_, at) => 1 / Math.sqrt(at + 10))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const others = weights.map((weight) => Math.round((rows * (1 - LARGEST_SHARE) * weight) / sum))
  return [Math.round(rows * LARGEST_SHARE), ...others]
}

function* monthOfUsage(shares: readonly number[], from: Date, to: Date): Generator<UsageBatch> {
  for (const [at, sessions] of shares.entries()) {
    if (sessions === 0) continue
    const customer = customerNumber(at)
    const plan: UsagePlan = {
      customerNumber: customer,
      serverId: serverOf(customer),
      activationId: entitlementOf(customer),
      currency: 'AEU',
      rateTableVersion: '2026R1.3',
      rateFactor: 1,
      from,
      to,
      sessions,
      cents: sessions * AVERAGE_CENTS,
      names: usageNames(customer, at === 0 ? 200 : 40, seededRandom(`bench names ${customer}`)),
      inCloud: 0.12,
    }
    yield* usageBatches(plan, seededRandom(`bench ${customer} ${from.toISOString()}`))
  }
}
