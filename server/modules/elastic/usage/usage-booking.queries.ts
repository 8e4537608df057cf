import { CompiledQuery, type Insertable, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import { CopyRows } from '#server/db/copy-rows.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

/** Without an end and a charge, the session is still running. */
export type UsageRow = Insertable<DB['usage_transaction']>

/** How a running session ended. */
export type SessionEnd = Pick<
  Selectable<DB['usage_transaction']>,
  'customer_number' | 'transaction_number' | 'session_status' | 'arrived_at'
> & { readonly ends_at: Date; readonly activation_id: string; readonly charge: string }

type Column = Exclude<keyof UsageRow, 'transaction_number' | 'hours' | 'last_heartbeat_at' | 'units_per_hour'>

/** Every column of a row, with the default for a missing value; `now` is the start of the transaction. */
const COLUMNS: Readonly<Record<Column, string | null>> = {
  customer_number: null,
  server_id: null,
  session_id: null,
  session_status: null,
  started_at: null,
  ends_at: 'infinity',
  product: null,
  product_line: '',
  product_version: '',
  product_count: null,
  feature: '',
  feature_number: '',
  feature_count: null,
  user_name: null,
  host: null,
  process_id: null,
  project: null,
  cloud_job_id: null,
  internal_ip: null,
  external_ip: null,
  consumer_id: '',
  acquisition: '',
  rate_table_version: '',
  activation_id: null,
  charge: null,
  currency: null,
  corrects: null,
  corrected_session_id: null,
  continues: 'false',
  arrived_at: 'now',
}
export const USAGE_COLUMNS = Object.keys(COLUMNS) as readonly Column[]
const NAMES = sql.raw(USAGE_COLUMNS.join(', '))
const VALUES = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, missing]) => {
      if (missing === null) return name
      return `coalesce(${name}, ${missing === 'now' ? 'now()' : `'${missing}'`})`
    })
    .join(', '),
)

/** One statement stays well under the statement timeout, and its text within some megabytes. */
const ROWS_PER_STATEMENT = 5_000

/**
 * Books usage as it arrives: new sessions, finished or running, and the ends of running ones. The database adds what is
 * finished to the sums per day in the same statement. Accounts are locked first and in one order, so that bookings
 * never deadlock: call it once per transaction, with everything.
 */
export async function bookUsage(
  tx: Transaction<DB>,
  sessions: readonly UsageRow[],
  ends: readonly SessionEnd[] = [],
): Promise<void> {
  await lockAccounts(
    tx,
    [...sessions, ...ends].map((one) => one.customer_number),
  )
  for (const some of slices(sessions)) await copyUsage(tx, some)
  for (const [customerNumber, own] of Map.groupBy(ends, (end) => end.customer_number))
    for (const some of slices(own)) await endSessions(tx, customerNumber, some)
}

/**
 * Books past usage of any amount and in any order: `stage` puts finished sessions into the table that it is given, which
 * has the columns of `usage_transaction`. A month that does not exist yet is filled before it becomes part of the whole,
 * so that its indexes are built once instead of row by row. Corrections come afterwards, with `bookUsage`.
 */
export async function bookHistory(
  tx: Transaction<DB>,
  stage: (history: RawBuilder<unknown>) => Promise<void>,
): Promise<void> {
  await allowLongWork(tx)
  await sql`create temp table usage_history as select ${NAMES} from usage_transaction with no data`.execute(tx)
  await sql`alter table usage_history alter ends_at set not null, add check (isfinite(ends_at))`.execute(tx)
  await stage(sql.table('usage_history'))
  const { rows: customers } = await sql<{ customer_number: string }>`
    select distinct customer_number from usage_history`.execute(tx)
  await lockAccounts(
    tx,
    customers.map((one) => one.customer_number),
  )
  const { rows: months } = await sql<{ month: Date }>`
    select distinct date_trunc('month', ends_at, 'UTC') as month from usage_history order by 1`.execute(tx)
  for (const { month } of months) await bookMonth(tx, month)
  await sql`drop table usage_history`.execute(tx)
}

/** Inserts in the order of the ends, which is about the order in which usage arrives. */
async function bookMonth(tx: Transaction<DB>, month: Date): Promise<void> {
  const first = sql`(${month}::timestamptz at time zone 'UTC')`
  const { rows } = await sql<{ made: string | null }>`select create_usage_month(${first}) as made`.execute(tx)
  const made = rows[0]?.made
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))
  await insertUsage(
    tx,
    made ?? 'usage_transaction',
    sql`select ${VALUES} from usage_history where ends_at >= ${month} and ends_at < ${next} order by ends_at, session_id`,
  )
  if (made) await sql`select attach_usage_month(${first})`.execute(tx)
}

async function insertUsage(tx: Transaction<DB>, table: string, source: RawBuilder<unknown>): Promise<void> {
  await sql`insert into ${sql.table(table)} (${NAMES}) ${source}`.execute(tx)
}

/** Columns that no row has a value for are left to the defaults of the table. */
async function copyUsage(tx: Transaction<DB>, rows: readonly UsageRow[]): Promise<void> {
  const names = USAGE_COLUMNS.filter((name) => rows.some((row) => (row[name] ?? null) !== null))
  const copied = new CopyRows(rows.map((row) => names.map((name) => row[name] ?? COLUMNS[name])))
  await tx.executeQuery(CompiledQuery.raw(`copy usage_transaction (${names.join(', ')}) from stdin`, [copied]))
}

async function endSessions(tx: Transaction<DB>, customerNumber: string, ends: readonly SessionEnd[]): Promise<void> {
  const { numAffectedRows } = await sql`
    update usage_transaction u
       set session_status = e.session_status, ends_at = e.ends_at, activation_id = e.activation_id, charge = e.charge,
           arrived_at = e.arrived_at, last_heartbeat_at = null, units_per_hour = null
      from ${rowsOf(ends)} e
     where u.customer_number = ${customerNumber} and u.transaction_number = e.transaction_number
       and u.ends_at = 'infinity'`.execute(tx)
  if (numAffectedRows !== BigInt(ends.length))
    throw new Error(`Only ${numAffectedRows} of ${ends.length} sessions were still running`)
}

/** Bookings of an account wait for each other. Lock all accounts of a transaction at once. */
export async function lockAccounts(tx: Transaction<DB>, customerNumbers: readonly string[]): Promise<void> {
  await sql`select lock_accounts(${[...new Set(customerNumbers)]})`.execute(tx)
}

/** One parameter for all rows: the database reads JSON faster than thousands of parameters. */
const rowsOf = (rows: readonly object[]) =>
  sql`json_populate_recordset(null::usage_transaction, ${JSON.stringify(rows)}::json)`

function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) yield rows.slice(from, from + ROWS_PER_STATEMENT)
}
