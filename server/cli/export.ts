import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, type Context, readArguments, UsageError } from '#server/cli/command.ts'
import { formatOption, kindNamed } from '#server/cli/file-arguments.ts'
import { onInterrupt } from '#server/cli/interrupt.ts'
import { FILE_KINDS } from '#server/data/data-kinds.ts'
import { exportRows } from '#server/data/files/export-rows.ts'
import { FILE_FORMATS, formatOf } from '#server/data/files/file-rows.ts'

export const exportFile = exportCommand(process.stdout)

export function exportCommand(stdout: Writable): Command {
  return {
    name: 'export',
    usage: `<kind> [<file>] [--format ${FILE_FORMATS.join('|')}]`,
    summary: `Write all records of a kind to a file or to the standard output; kinds: ${FILE_KINDS.map(({ kind }) => kind.name).join(', ')}`,
    async run(words, context) {
      const { kind: name, file, options } = readExportWords(words)
      const kind = kindNamed(name)
      const format = formatOption(options.format) ?? formatOf(file)
      const interruption = new AbortController()
      const restore = onInterrupt(() => interruption.abort(new Error('The export was interrupted.')))
      const write = (output: Writable) =>
        exportRows(context.installation.db, kind, format, writerOf(output), interruption.signal)
      try {
        const count = file === undefined ? await write(stdout) : await writeFile(file, write, context)
        const leftOut = file === undefined ? undefined : await kind.leftOut?.(context.installation.db)
        if (leftOut !== undefined) context.say(leftOut)
        const after = { file: file === undefined ? 'standard output' : path.basename(file), rows: count }
        await writeAudit(context.installation.db, context.audit, { action: 'records.export', target: name, after })
      } finally {
        restore()
      }
    },
  }
}

function readExportWords(words: readonly string[]) {
  const options = { format: { type: 'string' } } as const
  const hasFile = words.filter((word, at) => !word.startsWith('--') && words[at - 1] !== '--format').length > 1
  if (hasFile) return readArguments(words, ['kind', 'file'], options)
  return { ...readArguments(words, ['kind'], options), file: undefined }
}

/** A file gets its final name only when it is complete. */
async function writeFile(
  file: string,
  write: (output: Writable) => Promise<number>,
  { say }: Context,
): Promise<number> {
  const part = `${file}.part`
  const output = fs.createWriteStream(part)
  try {
    await once(output, 'open')
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
  try {
    const count = await write(output)
    output.end()
    await once(output, 'close')
    fs.renameSync(part, file)
    say(`${count.toLocaleString('en')} ${count === 1 ? 'row is' : 'rows are'} in ${file}`)
    return count
  } catch (error) {
    output.destroy()
    fs.rmSync(part, { force: true })
    throw error
  }
}

/** Waits for a slow reader (backpressure). */
function writerOf(output: Writable): (text: string) => Promise<void> {
  // Each write reports its error in its callback.
  output.on('error', () => {})
  return (text) =>
    new Promise((resolve, reject) => {
      output.write(text, (error) => (error ? reject(writeError(error)) : resolve()))
    })
}

const writeError = (error: Error & { code?: string }) =>
  error.code === 'EPIPE' ? new Error('The output was closed before the export was complete.') : error
