import fs from 'node:fs'
import path from 'node:path'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, type Context, readArguments, UsageError } from '#server/cli/command.ts'
import { formatOption, kindNamed } from '#server/cli/file-arguments.ts'
import { type ImportReport, openReport } from '#server/cli/import-report.ts'
import { onInterrupt } from '#server/cli/interrupt.ts'
import { FILE_KINDS } from '#server/data/data-kinds.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import { FILE_FORMATS, formatOf, readRows } from '#server/data/files/file-rows.ts'
import { type ImportCounts, type ImportResult, importRows } from '#server/data/files/import-rows.ts'
import { columnsOf } from '#server/data/files/row-columns.ts'

export const importFile = importCommand(() => process.stdin)

export function importCommand(stdin: () => AsyncIterable<Uint8Array>): Command {
  return {
    name: 'import',
    // Usage of the past needs partitions. On shards a role cannot fill those that another one makes in the same transaction.
    role: 'owner if known',
    usage: `<kind> <file>|- [--format ${FILE_FORMATS.join('|')}] [--dry-run] [--all-or-nothing] [--report <file>]`,
    summary: `Save the records of a CSV or JSON lines file; kinds: ${FILE_KINDS.map(({ kind }) => kind.name).join(', ')}`,
    async run(words, context) {
      const {
        kind: name,
        file,
        options,
      } = readArguments(words, ['kind', 'file'], {
        format: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'all-or-nothing': { type: 'boolean' },
        report: { type: 'string' },
      })
      const kind = kindNamed(name)
      const format = formatOption(options.format) ?? formatOf(file)
      const source = openSource(file, stdin)
      const report = openReport(context.say, options.report)
      const interruption = new AbortController()
      const restore = onInterrupt(() => interruption.abort())
      const isDryRun = options['dry-run'] ?? false
      const isAllOrNothing = options['all-or-nothing'] ?? false
      try {
        const bar = progressOf(context, source)
        const rows = readRows(source.bytes, format, columnsOf(kind.kind.schema))
        const result = await importRows(context.installation.db, kind, rows, {
          audit: context.audit,
          now: context.now,
          isDryRun,
          isAllOrNothing,
          interrupted: interruption.signal,
          refuse: (row) => report.add(row),
          advance: bar.advance,
        })
        bar.end(result)
        await noteImport(context, kind, file, result)
        await conclude(context, report, result, { isDryRun, isAllOrNothing })
      } finally {
        restore()
        await report.close()
      }
    },
  }
}

/** In addition to the audit entries of single records. */
async function noteImport({ installation, audit }: Context, { kind }: FileKind, file: string, result: ImportResult) {
  const { read, created, changed, unchanged, refused, isKept } = result
  if (!isKept || read === 0) return
  const after = {
    file: file === '-' ? 'standard input' : path.basename(file),
    read,
    created,
    changed,
    unchanged,
    refused,
  }
  await writeAudit(installation.db, audit, { action: 'records.import', target: kind.name, after })
}

type Source = { readonly bytes: AsyncIterable<Uint8Array>; readonly size: number; read: number }

function openSource(file: string, stdin: () => AsyncIterable<Uint8Array>): Source {
  if (file === '-') return counted(stdin(), 0)
  try {
    const handle = fs.openSync(file, 'r')
    const stat = fs.fstatSync(handle)
    if (stat.isDirectory()) throw new Error('it is a directory')
    return counted(fs.createReadStream('', { fd: handle, highWaterMark: 256 * 1024 }), stat.size)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function counted(bytes: AsyncIterable<Uint8Array>, size: number): Source {
  const source: { bytes: AsyncIterable<Uint8Array>; size: number; read: number } = { bytes, size, read: 0 }
  source.bytes = (async function* () {
    for await (const chunk of bytes) {
      source.read += chunk.length
      yield chunk
    }
  })()
  return source
}

const MEGABYTE = 1_000_000
const STEPS = 50

/** Progress is measured in bytes, because the number of rows is not known before the end. */
function progressOf({ progress }: Context, source: Source) {
  let shown = 0
  const megabytes = (bytes: number) => Number((bytes / MEGABYTE).toFixed(1))
  return {
    advance({ read }: ImportCounts) {
      const step = Math.floor((source.read / source.size) * STEPS)
      if (source.size < MEGABYTE || step <= shown || step >= STEPS) return
      shown = step
      progress(megabytes(source.read), megabytes(source.size), `MB, ${rowsText(read)}`)
    },
    end({ read }: ImportCounts) {
      if (shown > 0) progress(megabytes(source.size), megabytes(source.size), `MB, ${rowsText(read)}`)
    },
  }
}

type Mode = { readonly isDryRun: boolean; readonly isAllOrNothing: boolean }

async function conclude({ say }: Context, report: ImportReport, result: ImportResult, mode: Mode): Promise<void> {
  await report.close()
  const { read, created, changed, unchanged, refused, stop } = result
  if (read > 0 || stop === undefined)
    say(
      `${rowsText(read)} read: ${count(created)} created, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(refused)} refused`,
    )
  if (stop !== undefined) throw new Error(stopText(stop, result, mode))
  if (mode.isDryRun) say('This was a dry run: nothing was saved.')
  if (refused > 0) throw new Error(refusedText(result, mode))
}

function stopText(stop: string, { read, lastLine, isKept }: ImportResult, { isDryRun }: Mode): string {
  if (read === 0 || isDryRun) return `${stop} Nothing was saved.`
  if (!isKept) return `${stop} Nothing was saved, because of --all-or-nothing.`
  return `${stop} The rows up to line ${lastLine} were dealt with. Run the same import again: what is saved stays as it is.`
}

function refusedText({ read, refused }: ImportResult, { isDryRun, isAllOrNothing }: Mode): string {
  const what = `${rowsText(refused)} ${refused === 1 ? 'was' : 'were'} refused.`
  if (isDryRun) return what
  if (refused === read) return `${what} Nothing was saved.`
  return isAllOrNothing ? `${what} Nothing was saved, because of --all-or-nothing.` : `${what} The others are saved.`
}

const rowsText = (rows: number) => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
const count = (value: number) => value.toLocaleString('en')
