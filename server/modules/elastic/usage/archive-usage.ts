import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { Kysely, Transaction } from 'kysely'
import { latestCut, type Month } from '#domain/elastic/usage/archived-months.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import {
  type ArchivedMonth,
  closeMonth,
  copyMonthOut,
  detachPartition,
  dropPartition,
  findTotals,
  findZones,
  firstDayOf,
  isMonthIn,
  listArchivedMonths,
  loadMonth,
  partitionOf,
  saveArchivedMonth,
  saveArchivedSums,
  setDetached,
  sumLimitedPairs,
  type Totals,
} from '#server/modules/elastic/usage/usage-archive.queries.ts'
import { listUsageMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'

type Author = { readonly by: string; readonly now: Date }
/** What the last step of a transaction adds to it, such as a row of the audit log. */
type Finally = (tx: Transaction<DB>) => Promise<void>

export type PlannedMonth = Totals & { readonly month: Month; readonly archived: ArchivedMonth | undefined }

/** The months before one with what is in them, the oldest first, and whether they are in a file already. */
export async function planArchive(db: Kysely<DB>, before: Month, now: Date): Promise<PlannedMonth[]> {
  const cut = latestCut(now)
  if (before > cut) throw new Error(`Months from ${cut} on stay in the database: --before must be ${cut} or earlier`)
  const archived = new Map((await listArchivedMonths(db)).map((row) => [row.month.slice(0, 7), row]))
  const months = (await listUsageMonths(db)).filter((month) => month < before)
  const planned: PlannedMonth[] = []
  for (const month of months)
    planned.push({ month, archived: archived.get(month), ...(await findTotals(db, partitionOf(month))) })
  return planned
}

/** The months of `planArchive`, each of them in a file of the directory that has its rows as they are now. */
export async function planDetach(db: Kysely<DB>, before: Month, directory: string, now: Date): Promise<PlannedMonth[]> {
  const planned = await planArchive(db, before, now)
  for (const one of planned) {
    if (!one.archived) throw new Error(`${one.month} is not archived: run "usage archive" first. Nothing was changed.`)
    assertSame(one.archived, one)
    await assertFile(one.archived, directory)
  }
  return planned
}

/**
 * Writes the transactions of a month to a file as they are at one instant, reads the file again, and notes it once it has
 * the same. Answers false where such a file is there already.
 */
export async function archiveMonth(
  db: Kysely<DB>,
  { month, archived, ...totals }: PlannedMonth,
  directory: string,
  { by, now }: Author,
  andThen: Finally,
): Promise<boolean> {
  if (archived && isSame(archived, totals) && (await hasFile(archived, directory))) return false
  const file = path.join(directory, `usage-${month}.csv.gz`)
  await inLongTransaction(db, async (tx) => {
    const written = await findTotals(tx, partitionOf(month))
    const sha256 = await writeMonth(tx, month, file)
    if (!(await isMonthIn(tx, month, read(file)))) throw new Error(`${file} does not have what the database has`)
    const row = { month: firstDayOf(month), file: path.basename(file), sha256, ...written }
    fs.writeFileSync(manifestOf(file), `${JSON.stringify({ ...row, archivedAt: now }, null, 2)}\n`, { mode: 0o600 })
    await saveArchivedMonth(tx, { ...row, archived_at: now, archived_by: by, detached_at: null, detached_by: null })
    await andThen(tx)
  })
  return true
}

/** Takes an archived month out of the database. Its sums stay, and nothing is booked there any more. */
export async function detachMonth(
  db: Kysely<DB>,
  { month, archived }: PlannedMonth,
  { by, now }: Author,
  andThen: Finally,
): Promise<void> {
  if (!archived) throw new Error(`${month} is not archived`)
  await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await closeMonth(tx, month)
    assertSame(archived, { month, ...(await findTotals(tx, partitionOf(month))) })
    const zones = await findZones(tx)
    await saveArchivedSums(tx, month)
    await detachPartition(tx, month)
    // Changing a zone reads usage, which is locked from here on: the kept days stay those of the sums.
    if ((await findZones(tx)) !== zones)
      throw new Error(`An account got another time zone meanwhile: try ${month} again`)
    await dropPartition(tx, month)
    await setDetached(tx, month, { at: now, by })
    await andThen(tx)
  })
}

/** Brings the newest detached month back from its file, so that those that stay away are again all before one. */
export async function restoreMonth(
  db: Kysely<DB>,
  file: string,
  andThen: (tx: Transaction<DB>, month: Month) => Promise<void>,
) {
  const newest = (await listArchivedMonths(db)).filter(({ detached_at }) => detached_at !== null).at(-1)
  if (!newest) throw new Error('No month is detached')
  if (path.basename(file) !== newest.file)
    throw new Error(`Months come back one after the other, the newest first: ${newest.file} is the next one`)
  await assertFile(newest, path.dirname(file))
  const month = newest.month.slice(0, 7)
  await inLongTransaction(db, async (tx) => {
    await setDetached(tx, month, null)
    assertSame(newest, { month, ...(await loadMonth(tx, month, read(file))) })
    await sumLimitedPairs(tx)
    await andThen(tx, month)
  })
  return { month, transactions: newest.transactions }
}

const inLongTransaction = (db: Kysely<DB>, act: (tx: Transaction<DB>) => Promise<void>): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await allowLongWork(tx)
      await act(tx)
    })

const isSame = (one: Totals, other: Totals) =>
  one.transactions === other.transactions && one.charge === other.charge && one.hours === other.hours

function assertSame(archived: Totals, found: Totals & { readonly month: Month }): void {
  if (!isSame(archived, found))
    throw new Error(
      `${found.month} has ${found.transactions} transactions, its archive ${archived.transactions}: run "usage archive" again. Nothing was changed.`,
    )
}

const manifestOf = (file: string) => file.replace(/\.csv\.gz$/, '.json')

/** Under another name until all of it is on the disk. Answers its SHA-256. */
async function writeMonth(tx: Transaction<DB>, month: Month, file: string): Promise<string> {
  const unfinished = `${file}.part`
  const rows = new PassThrough()
  const writing = pipeline(rows, zlib.createGzip(), fs.createWriteStream(unfinished, { mode: 0o600, flush: true }))
  const take = (chunk: Buffer) =>
    rows.write(chunk) ? Promise.resolve() : Promise.race([new Promise<void>((go) => rows.once('drain', go)), writing])
  try {
    await copyMonthOut(tx, month, take)
    rows.end()
    await writing
  } catch (error) {
    rows.destroy()
    await writing.catch(() => {})
    fs.rmSync(unfinished, { force: true })
    throw error
  }
  fs.renameSync(unfinished, file)
  return digestOf(file)
}

const read = (file: string): AsyncIterable<Buffer> => {
  const bytes = zlib.createGunzip()
  // Whoever reads `bytes` gets the error.
  pipeline(fs.createReadStream(file), bytes).catch(() => {})
  return bytes
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  const bytes = fs.createReadStream(file)
  bytes.on('data', (chunk) => digest.update(chunk))
  await finished(bytes)
  return digest.digest('hex')
}

async function hasFile({ file, sha256 }: ArchivedMonth, directory: string): Promise<boolean> {
  const found = path.join(directory, file)
  return fs.existsSync(found) && (await digestOf(found)) === sha256
}

async function assertFile(archived: ArchivedMonth, directory: string): Promise<void> {
  if (!(await hasFile(archived, directory)))
    throw new Error(
      `${path.join(directory, archived.file)} is not there, or is not the file that was archived. Nothing was changed.`,
    )
}
