import { parse } from 'csv-parse/sync'
import { delimiterOf } from '#domain/csv-reader.ts'
import type { LineFaults } from '#server/data/files/checked-text.ts'
import { type CsvPiece, CsvSplitter, LONGEST_RECORD } from '#server/data/files/csv-splitter.ts'

/** A record of a file, with the line where it begins; or why the line begins none. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string }

/**
 * The records of a CSV file, some at a time: RFC 4180 with commas, semicolons or tabs, whichever the first line uses.
 * Empty lines are left out.
 */
export async function* readCsvRecords(
  text: AsyncIterable<Buffer>,
  faults: LineFaults,
): AsyncGenerator<readonly CsvRecord[]> {
  let reader: { splitter: CsvSplitter; delimiter: string } | undefined
  for await (const chunk of joinFirstLine(text)) {
    if (!reader) {
      const delimiter = delimiterOf(chunk.toString('utf8'))
      reader = { delimiter, splitter: new CsvSplitter(delimiter, faults) }
    }
    yield* parsed(reader.splitter.add(chunk), reader.delimiter)
  }
  if (reader) yield* parsed(reader.splitter.end(), reader.delimiter)
}

/** The same with the whole first line in the first chunk. */
async function* joinFirstLine(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of text) {
    if (!first) {
      yield chunk
      continue
    }
    first = Buffer.concat([first, chunk])
    if (!first.includes('\n') && first.length < LONGEST_RECORD) continue
    yield first
    first = undefined
  }
  if (first) yield first
}

function* parsed(pieces: readonly CsvPiece[], delimiter: string): Generator<readonly CsvRecord[]> {
  if (pieces.length === 0) return
  const bytes = Buffer.concat(pieces.flatMap((piece) => ('bytes' in piece ? [piece.bytes] : [])))
  const cells = cellsOf(bytes, delimiter)
  let at = 0
  const records = pieces.map((piece): CsvRecord => {
    if ('fault' in piece) return piece
    const own = cells[at++]
    if (!own) throw new Error('csv-parse and the splitter count different records')
    return { line: piece.line, cells: own }
  })
  if (at !== cells.length) throw new Error('csv-parse and the splitter count different records')
  yield records.filter((record) => 'fault' in record || record.cells.length > 1 || record.cells[0] !== '')
}

function cellsOf(bytes: Buffer, delimiter: string): readonly string[][] {
  if (bytes.length === 0) return []
  return parse(bytes, { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true })
}
