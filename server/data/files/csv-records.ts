import { CsvReader, type CsvRecord, delimiterOf, MAX_RECORD } from '#domain/csv-reader.ts'
import type { LineFaults } from '#server/data/files/checked-text.ts'

/** The records of a CSV file, some at a time, with commas, semicolons or tabs, whichever the first line uses. */
export async function* readCsvRecords(
  text: AsyncIterable<Buffer>,
  faults: LineFaults,
): AsyncGenerator<readonly CsvRecord[]> {
  /** A line with invalid UTF-8 makes its record invalid. */
  const checked = (record: CsvRecord): CsvRecord => {
    const { line, nextLine } = 'cells' in record ? record : { line: record.line, nextLine: record.line + 1 }
    faults.takeUntil(line)
    return faults.takeUntil(nextLine) ?? record
  }
  let reader: CsvReader | undefined
  for await (const piece of joinFirstLine(text)) {
    reader ??= new CsvReader(delimiterOf(piece))
    yield reader.add(piece).map(checked)
  }
  if (reader) yield reader.end().map(checked)
}

/** Passes the text on, with the whole first line in the first piece. */
async function* joinFirstLine(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let first: string | undefined = ''
  for await (const chunk of chunks) {
    const piece = chunk.toString('utf8')
    if (first === undefined) {
      yield piece
      continue
    }
    first += piece
    if (!first.includes('\n') && first.length < MAX_RECORD) continue
    yield first
    first = undefined
  }
  if (first !== undefined) yield first
}
