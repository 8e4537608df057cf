import type { Kysely } from 'kysely'
import { recordChecker } from '#server/data/check-record.ts'
import type { DataKind, RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import { FileError } from '#server/data/files/checked-text.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import type { FileRow } from '#server/data/files/file-rows.ts'
import { batchesOf, readAhead } from '#server/data/files/row-batches.ts'
import { saveByBatch, saveTogether } from '#server/data/files/save-rows.ts'
import type { DB } from '#server/db/schema.ts'

export type RefusedRow = {
  readonly line: number
  readonly key: string
  readonly field: string
  readonly code: string
  readonly reason: string
}

export type ImportCounts = {
  readonly read: number
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
}

export type ImportResult = ImportCounts & {
  /** The line of the last row that was read. */
  readonly lastLine: number
  /** Why the rest of the file was not read. */
  readonly stop: string | undefined
  /** Whether what is not refused is in the database. */
  readonly isKept: boolean
}

export type ImportOptions = SaveContext & {
  readonly isDryRun: boolean
  readonly isAllOrNothing: boolean
  readonly interrupted: AbortSignal
  readonly batchSize?: number
  refuse(row: RefusedRow): void
  advance(counts: ImportCounts): void
}

/** Rows per batch: enough to make statements efficient, and few enough to be saved within a second. */
const BATCH = 5_000

/** Saves the rows of a file, and returns their outcomes. Refused rows do not stop the others. */
export async function importRows(
  db: Kysely<DB>,
  kind: FileKind,
  pieces: AsyncIterable<readonly FileRow[]>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { isDryRun, isAllOrNothing, interrupted, batchSize = BATCH } = options
  const save: DataKind['save'] = (tx, rows, context) => kind.save(tx, rows, context)
  const saver = await (isDryRun || isAllOrNothing ? saveTogether : saveByBatch)(db, (tx, rows) =>
    save(tx, rows, options),
  )
  const tally = new Tally()
  let stop: string | undefined
  try {
    const batches = readAhead(batchesOf(pieces, kind.kind.keyOf, batchSize))
    const check = recordChecker(kind.kind)
    stop = await untilStopped(batches, interrupted, async (batch) => {
      const { rows, lines } = checkRows(kind, check, batch, tally)
      const outcomes = rows.length > 0 ? await saver.save(rows) : []
      for (const [at, outcome] of outcomes.entries())
        tally.count(outcome, lines[at] ?? 0, kind.kind.keyOf(rows[at] ?? {}))
      for (const refused of tally.takeRefused()) options.refuse(refused)
      tally.lastLine = batch.at(-1)?.line ?? tally.lastLine
      options.advance(tally)
    })
  } catch (error) {
    // The first error says more than the later one about the lost connection.
    await saver.finish(false).catch(() => {})
    throw error
  }
  const isKept = !isDryRun && !(isAllOrNothing && (stop !== undefined || tally.refused > 0))
  await saver.finish(isKept)
  return { ...tally, stop, isKept }
}

/** Returns the reason for stopping before the end, if any. */
async function untilStopped<T>(
  source: AsyncGenerator<T>,
  interrupted: AbortSignal,
  act: (one: T) => Promise<void>,
): Promise<string | undefined> {
  try {
    for (;;) {
      const next = await nextUnlessInterrupted(source, interrupted)
      if (next === 'interrupted') return 'The import was interrupted.'
      if (next.done) return undefined
      await act(next.value)
    }
  } catch (error) {
    if (error instanceof FileError) return error.message
    throw error
  } finally {
    source.return(undefined).catch(() => {})
  }
}

/** Does not use Promise.race: a promise that never settles would keep every batch that raced it in memory. */
function nextUnlessInterrupted<T>(
  source: AsyncGenerator<T>,
  interrupted: AbortSignal,
): Promise<IteratorResult<T> | 'interrupted'> {
  return new Promise((resolve, reject) => {
    if (interrupted.aborted) return resolve('interrupted')
    const stop = () => resolve('interrupted')
    interrupted.addEventListener('abort', stop, { once: true })
    const settled = () => interrupted.removeEventListener('abort', stop)
    source.next().then(resolve, reject).finally(settled)
  })
}

function checkRows(
  { kind }: FileKind,
  check: ReturnType<typeof recordChecker>,
  batch: readonly FileRow[],
  tally: Tally,
) {
  const rows: object[] = []
  const lines: number[] = []
  for (const one of batch) {
    const checked = 'fault' in one ? { refusal: { code: 'INVALID_RECORD' as const, err: one.fault } } : check(one.row)
    if ('row' in checked) {
      rows.push(checked.row)
      lines.push(one.line)
    } else {
      const key = 'row' in one ? kind.keyOf(one.row) : ''
      tally.count({ key, result: 'refused', ...checked.refusal }, one.line, key)
    }
  }
  return { rows, lines }
}

class Tally implements ImportCounts {
  read = 0
  created = 0
  changed = 0
  unchanged = 0
  refused = 0
  lastLine = 0

  #refusedRows: RefusedRow[] = []

  count(outcome: RowOutcome & { field?: string }, line: number, sentKey: string): void {
    this.read++
    if (outcome.result === 'removed') throw new Error('an import removed a record')
    this[outcome.result]++
    if (outcome.result !== 'refused') return
    const { key, code, err, field = '' } = outcome
    this.#refusedRows.push({ line, key: key || sentKey, field, code, reason: err })
  }

  /** Rows since the last call, in the order of the file. */
  takeRefused(): RefusedRow[] {
    const taken = this.#refusedRows.sort((one, other) => one.line - other.line)
    this.#refusedRows = []
    return taken
  }
}
