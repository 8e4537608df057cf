import { sql } from 'kysely'
import { milliseconds, table } from '#bench/kit/figures.ts'
import { openUsagePortal } from '#bench/kit/usage-portal.ts'
import { LARGEST } from '#bench/usage/dataset.ts'
import { getOptimization } from '#contract/optimization/optimization.ts'
import { getWebReport } from '#contract/web-licenses/web-report.ts'

/*
 * The optimization and web reports of an account with ${largest} usage transactions and 180,000 web checkouts, in a
 * database of 10,000,000 transactions. Replaces its section of the results.
 */
const HEADING = 'Optimization and web reports'
const RUNS = 7
const CHECKOUTS = 180_000
const MONTH = { from: '2026-10-01', to: '2026-10-31' }
const YEAR = { from: '2025-11-01', to: '2026-10-31' }
const BOTH_YEARS = { from: '2024-11-01', to: '2026-10-31' }

const { db, call, timesOf, report, transactions, largest, close } = await openUsagePortal()
await ensureCheckouts()
const rows: string[][] = []
for (const [what, operation, days] of [
  ['optimization, a month', getOptimization, MONTH],
  ['optimization, a year', getOptimization, YEAR],
  ['optimization, two years', getOptimization, BOTH_YEARS],
  ['web report, a month', getWebReport, MONTH],
  ['web report, two years', getWebReport, BOTH_YEARS],
] as const) {
  const { median, p95 } = await timesOf(RUNS, () => call(operation, { customerNumber: LARGEST, ...days }))
  rows.push([what, milliseconds(median), milliseconds(p95)])
}
const section = `${table(['report', 'median', 'slowest'], rows)}

Whole requests of business operations, ${RUNS} each, of an account with ${largest} usage transactions and ${CHECKOUTS.toLocaleString('en')} web checkouts in two years; ${transactions} usage transactions in the database.`
report(HEADING, section)
await close()
process.exit(0)

/** 40 products with 50 shared seats each, and as many checkouts of two hours as the report may have. */
async function ensureCheckouts(): Promise<void> {
  const found = await db
    .selectFrom('web_checkout')
    .select('checkout_id')
    .where('customer_number', '=', LARGEST)
    .limit(1)
    .executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    const id = sql`'bench-web-' || n`
    await sql`insert into activation_owner (activation_id, customer_number)
      select ${id}, ${LARGEST} from generate_series(0, 39) n`.execute(tx)
    await sql`insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
        line_item_quantity, start_date, end_date)
      select ${LARGEST}, ${id}, 'ENT-WEB-' || n, 'P', 'Web product ' || n, 'Shared Web', 50, '2024-01-01', '2027-12-31'
        from generate_series(0, 39) n`.execute(tx)
    await sql`insert into web_checkout (customer_number, checkout_id, activation_id, product, kind, email, host, status,
        started_at, last_heartbeat_at, ends_at)
      select ${LARGEST}, ${LARGEST} || '.bench-' || n, 'bench-web-' || n % 40, 'Web product ' || n % 40, 'CONCURRENT',
             'user' || n % 900 || '@bench.example', 'ws', 'Completed', at, at, at + interval '2 hours'
        from (select n, timestamptz '2024-11-01' + n * interval '5.8 minutes' as at
                from generate_series(1, ${CHECKOUTS}::int) n) made`.execute(tx)
  })
  await sql`analyze`.execute(db)
}
