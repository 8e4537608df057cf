import { milliseconds, table, verdict } from '#bench/kit/figures.ts'
import { openUsagePortal } from '#bench/kit/usage-portal.ts'
import { LARGEST } from '#bench/usage/dataset.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'

/*
 * Home with ten million usage transactions in the database: of the demo account, of the account with the most usage, and
 * over all accounts. Replaces its section of the results.
 */
const HEADING = 'Home'
const RUNS = 40
const MAX = 200

const { call, timesOf, report, transactions, largest, close } = await openUsagePortal()
const rows: string[][] = []
for (const [what, run] of [
  ['the demo account, 100001', () => call(getAccountHome, { customerNumber: '100001' })],
  [`the account with ${largest} transactions`, () => call(getAccountHome, { customerNumber: LARGEST })],
  ['all accounts, for staff', () => call(getAccountsHome)],
] as const) {
  const { median, p95 } = await timesOf(RUNS, run)
  rows.push([what, milliseconds(median), milliseconds(p95), `under ${MAX} ms: ${verdict(p95 < MAX)}`])
}
const section = `${table(['Home of', 'median', 'p95', 'target'], rows)}

Whole requests of business operations, ${RUNS} each, with ${transactions} usage transactions in the database.`
report(HEADING, section)
await close()
process.exit(0)
