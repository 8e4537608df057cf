import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { BenchCluster, OpenedDatabase } from '#bench/kit/database.ts'
import { median, ratio, table } from '#bench/kit/figures.ts'
import { busyness, databaseCpu } from '#bench/kit/machine.ts'
import { insertAccounts } from '#bench/usage/dataset.ts'
import { openDatabase } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import {
  bookHistory,
  bookUsage,
  USAGE_COLUMNS,
  type UsageRow,
} from '#server/modules/elastic/usage/usage-booking.queries.ts'

const ROWS = 50_000
const ROUNDS = 3
const TEMPLATE = 'bench_booking'
const TARGET = 'bench_booking_run'
const COLUMNS = sql.raw(USAGE_COLUMNS.join(', '))
const NEWEST = sql`from usage_transaction where ends_at >= '2026-08-01' and ends_at < '2026-11-01'
  order by ends_at, session_id limit ${sql.lit(ROWS)}`

type Way = {
  readonly name: string
  readonly prepare?: (db: Kysely<DB>) => Promise<unknown>
  readonly run: (db: Kysely<DB>) => Promise<unknown>
}

/**
 * Writes equal rows into an empty table: by COPY, the fastest way, and by the functions that book them. Each run has
 * its own database.
 */
export async function measureBooking(
  cluster: BenchCluster,
  source: OpenedDatabase,
  say: (line: string) => void,
): Promise<string> {
  await makeTemplate(cluster)
  const file = await copyOut(source)
  const { rows } = await sql<UsageRow>`select ${COLUMNS} ${NEWEST}`.execute(source.db)
  const ways = waysOf(file, rows)
  const began = busyness()
  const taken = ways.map(() => ({ time: [] as number[], cpu: [] as number[] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, way] of ways.entries()) {
      const { time, cpu } = await runOnce(source, way)
      taken[at]?.time.push(time)
      taken[at]?.cpu.push(cpu)
    }
  const medians = taken.map(({ time, cpu }) => ({ time: median(time), cpu: median(cpu) }))
  const [copy] = medians
  if (!copy) throw new Error('nothing was measured')
  const cells = ways.map(({ name }, at) => {
    const { time, cpu } = medians[at] ?? copy
    const rate = `${((ROWS / time) * 1000).toFixed(0)} rows/s`
    return [name, rate, `${((cpu / ROWS) * 1000).toFixed(0)} µs`, ratio(copy.time / time), ratio(copy.cpu / cpu)]
  })
  for (const row of cells) say(`  ${row.join(' · ')}`)
  const heads = ['', 'rate', 'CPU per row', 'rate against COPY', 'rows per CPU second against COPY']
  return `${table(heads, cells)}

${ROWS.toLocaleString('en')} rows of 200 customers over three months in the order of their ends; median of ${ROUNDS} interleaved runs. CPU is PostgreSQL’s and the caller’s; COPY reads a file on the database’s own disk. On a busy machine only the figures per CPU second can be compared. Load average before: ${began.toFixed(1)}.`
}

function waysOf(file: string, rows: readonly UsageRow[]): Way[] {
  const copyInto = async (db: Kysely<DB>, into: RawBuilder<unknown>) => {
    await sql`copy ${into} (${COLUMNS}) from ${sql.lit(file)}`.execute(db)
  }
  const whole = sql.table('usage_transaction')
  return [
    { name: 'COPY, nothing booked', prepare: withoutTriggers, run: (db) => copyInto(db, whole) },
    { name: 'COPY, booked by the trigger', run: (db) => copyInto(db, whole) },
    { name: 'bookUsage', run: (db) => db.transaction().execute((tx) => bookUsage(tx, rows)) },
    {
      name: 'bookHistory, months exist',
      run: (db) => db.transaction().execute((tx) => bookHistory(tx, (history) => copyInto(tx, history))),
    },
    {
      name: 'bookHistory, months do not exist',
      prepare: withoutMonths,
      run: (db) => db.transaction().execute((tx) => bookHistory(tx, (history) => copyInto(tx, history))),
    },
  ]
}

const withoutTriggers = (db: Kysely<DB>) => sql`alter table usage_transaction disable trigger user`.execute(db)

const withoutMonths = (db: Kysely<DB>) =>
  sql`drop table usage_transaction_2026_08, usage_transaction_2026_09, usage_transaction_2026_10`.execute(db)

async function makeTemplate(cluster: BenchCluster): Promise<void> {
  const template = await cluster.open(TEMPLATE)
  await insertAccounts(template)
  await sql`select ensure_usage_partitions('2026-08-01', '2026-10-31')`.execute(template.db)
  await template.db.destroy()
}

/** The database itself writes the file and reads it again. */
async function copyOut({ db }: OpenedDatabase): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    select current_setting('data_directory') || '/bench-booking.copy' as file`.execute(db)
  const file = rows[0]?.file ?? ''
  await sql`copy (select ${COLUMNS} ${NEWEST}) to ${sql.lit(file)}`.execute(db)
  return file
}

async function runOnce(source: OpenedDatabase, { prepare, run }: Way): Promise<{ time: number; cpu: number }> {
  await sql`drop database if exists ${sql.id(TARGET)}`.execute(source.db)
  await sql`create database ${sql.id(TARGET)} template ${sql.id(TEMPLATE)}`.execute(source.db)
  const { db } = openDatabase({ ...source.connection, database: TARGET, statement_timeout: 0, max: 1 })
  try {
    await prepare?.(db)
    await sql`checkpoint`.execute(db)
    const before = { database: await databaseCpu(source), own: process.cpuUsage(), time: performance.now() }
    await run(db)
    const time = performance.now() - before.time
    const own = process.cpuUsage(before.own)
    const cpu = (await databaseCpu(source)) - before.database + (own.user + own.system) / 1000
    return { time, cpu }
  } finally {
    await db.destroy()
  }
}
