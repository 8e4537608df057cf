import fs from 'node:fs'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { UsageError } from '#server/cli/command.ts'
import type { RefusedRow } from '#server/data/files/import-rows.ts'

export type ImportReport = {
  add(row: RefusedRow): void
  close(): Promise<void>
}

/** Maximum number of refused rows that are printed; the CSV file has all of them. */
const PRINTED = 50

/** Prints refused rows, and writes them to a CSV file if one is named. */
export function openReport(say: (line: string) => void, file: string | undefined): ImportReport {
  const output = file === undefined ? undefined : openOutput(file)
  output?.write(CSV_START + csvLine(['line', 'key', 'field', 'code', 'reason']))
  let added = 0
  let isClosed = false
  return {
    add({ line, key, field, code, reason }) {
      added++
      if (added <= PRINTED) say(`Line ${line}${key && `, ${key}`}: ${reason} (${code})`)
      output?.write(csvLine([line, key, field, code, reason]))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      const more = added - PRINTED
      if (more > 0)
        say(
          `… and ${more.toLocaleString('en')} more. ${file ? `${file} has all of them.` : 'Add --report FILE for all of them.'}`,
        )
      output?.close()
    },
  }
}

/** Writes rows at once: none is kept in memory, no matter how many are refused. */
function openOutput(file: string) {
  try {
    const handle = fs.openSync(file, 'w')
    return { write: (text: string) => void fs.writeSync(handle, text), close: () => fs.closeSync(handle) }
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}
