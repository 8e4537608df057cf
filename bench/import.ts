import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { type BenchCluster, type OpenedDatabase, startCluster } from '#bench/kit/database.ts'
import { ratio, table, verdict } from '#bench/kit/figures.ts'
import { busyness, databaseCpu } from '#bench/kit/machine.ts'
import { saveResults } from '#bench/kit/results.ts'
import { insertAccounts } from '#bench/usage/dataset.ts'
import { openDatabase } from '#server/db/database.ts'
import type { World } from '#server/demo/demo-part.ts'
import { CURRENT_RATES, catalog } from '#server/demo/parts/catalog.demo.ts'
import { seededRandom } from '#server/demo/random.ts'
import { ELASTIC_PRODUCTS } from '#server/demo/usage-sessions.ts'
import { USAGE_COLUMNS } from '#server/modules/elastic/usage/usage-booking.queries.ts'

/*
 * `portal import` of large files against COPY of the same rows into the same tables. `node bench/import.ts` imports 1,000,000
 * rows of each kind, prints the results and keeps them in RESULTS.md. With a number of rows, such as `node bench/import.ts
 * 100000`, or the name of one kind (`entitlements`, `usage`) it only prints.
 */
const words = process.argv.slice(2)
const FULL = 1_000_000
const ROWS = Number(words.find((word) => /^[0-9]+$/.test(word)) ?? FULL)
/** To see whether memory grows with the file. */
const POINTS = [0.1, 0.5, 1]
const CUSTOMERS = 200
const DAYS = 60
const TEMPLATE = 'bench_import'
const TARGET = 'bench_import_run'
const HOUR = 3_600_000
/** Memory may grow by this much after the first tenth of a file, in bytes. */
const ROOM = 64 * 1024 * 1024
const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: { portal: string } }
/** What `npm run portal` runs, with the same limits of memory. */
const PORTAL = scripts.portal.split(' exec node ')[1]?.split(' ') ?? []
const say = (line: string) => process.stdout.write(`${line}\n`)
const now = Date.now()
const directory = path.resolve('.data-bench')
const customerNumber = (at: number) => String(300_001 + at)

type Kind = {
  readonly name: string
  readonly lines: (rows: number) => Generator<string>
  /** What the import writes, but for the audit log: tables with their columns, in the order in which COPY can fill them. */
  readonly tables: readonly (readonly [table: string, columns: string])[]
}

const ALL_KINDS: readonly Kind[] = [
  {
    name: 'entitlements',
    lines: entitlementLines,
    tables: [
      ['activation_owner', 'activation_id, customer_number'],
      [
        'entitlement',
        `customer_number, activation_id, entitlement_id, part_number, product_name, license_model, type, subtype, state,
         line_item_quantity, units_per_line, start_date, end_date, version_date, is_permanent, po_number, order_id, currency,
         price, rate_table_version, created_at`,
      ],
    ],
  },
  { name: 'usage', lines: usageLines, tables: [['usage_transaction', USAGE_COLUMNS.join(', ')]] },
]

const KINDS = ALL_KINDS.filter(
  ({ name }) => words.includes(name) || !ALL_KINDS.some((kind) => words.includes(kind.name)),
)
const isWhole = ROWS === FULL && KINDS.length === ALL_KINDS.length

const cluster = await startCluster(say)
try {
  const admin = await makeTemplate(cluster)
  const rows: string[][] = []
  const growths: boolean[] = []
  const began = busyness()
  for (const kind of KINDS) {
    const measured = await measureKind(admin, kind)
    rows.push(...measured.rows)
    growths.push(measured.isConstant)
  }
  const points = POINTS.map((point) => `peak memory at ${percent(point)} of the file`)
  const heads = ['', 'rate', 'CPU per row', 'rate against COPY', ...points]
  const text = `${table(heads, rows)}

Files of ${count(ROWS)} rows of ${CUSTOMERS} accounts, imported by \`npm run portal -- import\` as a process of its own, from its start to its end, with checks, bookings and audit log; COPY reads a file on the database’s own disk into the same tables with the same indexes, constraints and triggers, in one statement, and writes no audit log. CPU is that of PostgreSQL and of the command. Peak memory is the largest resident set of the command up to there. After ${percent(POINTS[0] ?? 0)} of the file it must not grow by more than ${ROOM / 1024 / 1024} MB: ${verdict(growths.every(Boolean))}. Load average before: ${began.toFixed(1)}.`
  say(text)
  if (isWhole) saveResults({ sections: [['Import of files', text]] })
} finally {
  await cluster.embedded.stop()
}
process.exit(0)

async function measureKind(admin: OpenedDatabase, kind: Kind): Promise<{ rows: string[][]; isConstant: boolean }> {
  const file = writeFile(kind, ROWS)
  const imported = await onFreshCopy(admin, async (target) => {
    const taken = await runImport(target, kind, file)
    for (const [name, columns] of kind.tables)
      await sql`copy (select ${sql.raw(columns)} from ${sql.table(name)} ${newRows(name)}) to ${sql.lit(await copyFile(target, name))}`.execute(
        target.db,
      )
    return taken
  })
  const copy = await onFreshCopy(admin, async (target) => {
    const begun = performance.now()
    const before = await databaseCpu(target)
    for (const [name, columns] of kind.tables)
      await sql`copy ${sql.table(name)} (${sql.raw(columns)}) from ${sql.lit(await copyFile(target, name))}`.execute(
        target.db,
      )
    return { time: performance.now() - begun, cpu: (await databaseCpu(target)) - before }
  })
  const rate = (time: number) => `${((ROWS / time) * 1000).toFixed(0)} rows/s`
  const perRow = (cpu: number) => `${((cpu / ROWS) * 1000).toFixed(0)} µs`
  const rows = [
    [`${kind.name}: COPY`, rate(copy.time), perRow(copy.cpu), ratio(1), ...POINTS.map(() => '')],
    [
      `${kind.name}: import`,
      rate(imported.time),
      perRow(imported.cpu),
      ratio(copy.time / imported.time),
      ...imported.peaks.map(megabytes),
    ],
  ]
  for (const row of rows) say(`  ${row.join(' · ')}`)
  const [first = 0] = imported.peaks
  return { rows, isConstant: imported.peaks.every((peak) => peak < first + ROOM) }
}

/** The template has an elastic entitlement for each account. */
function newRows(name: string) {
  return name === 'usage_transaction' ? sql`` : sql`where activation_id not like 'bench-%'`
}

async function copyFile({ db }: OpenedDatabase, name: string): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    select current_setting('data_directory') || ${`/bench-import-${name}.copy`} as file`.execute(db)
  return rows[0]?.file ?? ''
}

/** Peaks are of the memory, at POINTS of the file. */
type Taken = { readonly time: number; readonly cpu: number; readonly peaks: readonly number[] }

/** Runs the command in a separate process, as an operator does. */
async function runImport(target: OpenedDatabase, kind: Kind, file: string): Promise<Taken> {
  const { host, port, user, password, database } = target.connection
  const url = `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
  const before = { time: performance.now(), database: await databaseCpu(target) }
  const child = spawn(process.execPath, [...PORTAL, 'import', kind.name, file], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => {
    printed += text.toString()
  })
  let done = 0
  child.stderr.on('data', (text: Buffer) => {
    done = progressIn(text.toString()) ?? done
  })
  const peaks = POINTS.map(() => 0)
  let cpu = 0
  const watch = setInterval(() => {
    const peak = peakOf(child.pid ?? 0)
    for (const [at, point] of POINTS.entries()) if (done <= point) peaks[at] = Math.max(peaks[at] ?? 0, peak)
    cpu = Math.max(cpu, cpuOf(child.pid ?? 0))
  }, 50)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(watch)
  const expected = `${count(ROWS)} rows read: ${count(ROWS)} created, 0 changed, 0 unchanged, 0 refused\n`
  if (code !== 0 || printed !== expected) throw new Error(`the import failed: ${printed}`)
  const time = performance.now() - before.time
  say(
    `  ${kind.name}: ${(time / 1000).toFixed(1)} s, ${((cpu / ROWS) * 1000).toFixed(0)} µs CPU per row in the command`,
  )
  return { time, cpu: (await databaseCpu(target)) - before.database + cpu, peaks }
}

/** How much of the file has been read, from the last progress line that the command printed. */
function progressIn(text: string): number | undefined {
  const last = [...text.matchAll(/([0-9.]+)\/([0-9.]+) MB/g)].at(-1)
  return last && Number(last[1]) / Number(last[2])
}

/** Memory of the process as the kernel reports it, while the process runs. */
function peakOf(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function cpuOf(pid: number): number {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    return ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10
  } catch {
    return 0
  }
}

async function makeTemplate({ open }: BenchCluster): Promise<OpenedDatabase> {
  const admin = await open('bench_import_admin')
  await sql`drop database if exists ${sql.id(TARGET)} with (force)`.execute(admin.db)
  await sql`drop database if exists ${sql.id(TEMPLATE)} with (force)`.execute(admin.db)
  const template = await open(TEMPLATE)
  await insertAccounts(template)
  await sql`update entitlement set rate_table_version = ${CURRENT_RATES}, currency = 'AEU'`.execute(template.db)
  await template.db.transaction().execute((tx) => catalog.load(tx, {} as World))
  await sql`select ensure_usage_partitions(${new Date(now - (DAYS + 5) * 24 * HOUR)}, ${new Date(now)})`.execute(
    template.db,
  )
  await sql`vacuum (analyze)`.execute(template.db)
  await template.db.destroy()
  return admin
}

async function onFreshCopy<T>(admin: OpenedDatabase, run: (target: OpenedDatabase) => Promise<T>): Promise<T> {
  await sql`drop database if exists ${sql.id(TARGET)} with (force)`.execute(admin.db)
  await sql`create database ${sql.id(TARGET)} template ${sql.id(TEMPLATE)}`.execute(admin.db)
  const connection = { ...admin.connection, database: TARGET }
  const target = { ...openDatabase({ ...connection, statement_timeout: 0, max: 1 }), connection, name: TARGET }
  try {
    await sql`checkpoint`.execute(target.db)
    return await run(target)
  } finally {
    await target.db.destroy()
  }
}

function writeFile({ name, lines }: Kind, rows: number): string {
  const file = path.join(directory, `import-${name}-${rows}.csv`)
  const handle = fs.openSync(file, 'w')
  let text = ''
  for (const line of lines(rows)) {
    text += `${line}\n`
    if (text.length < 1_000_000) continue
    fs.writeSync(handle, text)
    text = ''
  }
  fs.writeSync(handle, text)
  fs.closeSync(handle)
  return file
}

function* entitlementLines(rows: number): Generator<string> {
  const random = seededRandom('bench import entitlements')
  yield 'activationId,customerNumber,partNumber,entitlementId,licenseModel,quantity,startDate,endDate,currency,poNumber,orderId'
  for (let at = 0; at < rows; at++) {
    const customer = customerNumber(Math.floor(random.fraction() * CUSTOMERS))
    const product = ELASTIC_PRODUCTS[Math.floor(random.fraction() * ELASTIC_PRODUCTS.length)]
    const id = `${at.toString(16).padStart(8, '0')}-0000-4000-8000-${customer.padStart(12, '0')}`
    const year = 2024 + Math.floor(random.fraction() * 3)
    yield `${id},${customer},${product?.partNumber},ENT-${at},Network,${1 + Math.floor(random.fraction() * 50)},${year}-01-01,${year + 1}-12-31,USD,PO-${at},SO-${at}`
  }
}

/** Transactions of the last days in about the order of their ends. */
function* usageLines(rows: number): Generator<string> {
  const random = seededRandom('bench import usage')
  yield 'id,serverId,product,productCount,username,host,startTime,endTime,project,version'
  for (let at = 0; at < rows; at++) {
    const customer = customerNumber(Math.floor(random.fraction() * CUSTOMERS))
    const product = ELASTIC_PRODUCTS[Math.floor(random.fraction() * ELASTIC_PRODUCTS.length)]
    const ended = now - DAYS * 24 * HOUR + (at / rows) * (DAYS - 1) * 24 * HOUR
    const person = Math.floor(random.fraction() * 40)
    const started = new Date(ended - random.fraction() * 9 * HOUR).toISOString()
    const project = random.fraction() < 0.7 ? `project-${Math.floor(random.fraction() * 12)}` : ''
    yield `tx-${String(at).padStart(8, '0')},cls-bench-${customer},"${product?.name.replaceAll('"', '""')}",${1 + Math.floor(random.fraction() * 4)},user-${person},ws-${person * 2},${started},${new Date(ended).toISOString()},${project},2026 R1`
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`
}

function percent(part: number): string {
  return `${part * 100} %`
}

function count(value: number): string {
  return value.toLocaleString('en')
}
