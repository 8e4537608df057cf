import { milliseconds, table } from '#bench/kit/figures.ts'
import { openUsagePortal } from '#bench/kit/usage-portal.ts'
import { CHECKOUTS, ensureCheckouts } from '#bench/usage/checkouts.ts'
import { LARGEST } from '#bench/usage/dataset.ts'
import { getOptimization } from '#contract/optimization/optimization.ts'
import { getWebReport } from '#contract/web-licenses/web-report.ts'

/*
 * The optimization and web reports of an account with ${largest} usage transactions and 180,000 web checkouts, in a
 * database of 10,000,000 transactions. Replaces its section of the results.
 */
const HEADING = 'Optimization and web reports'
const RUNS = 7
const MONTH = { from: '2026-10-01', to: '2026-10-31' }
const YEAR = { from: '2025-11-01', to: '2026-10-31' }
const BOTH_YEARS = { from: '2024-11-01', to: '2026-10-31' }

const { db, call, timesOf, report, transactions, largest, close } = await openUsagePortal()
await ensureCheckouts(db)
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
