import { type Parser, parse } from 'csv-parse'
import { delimiterOf } from '#domain/csv-reader.ts'
import { countLines, FileError } from '#server/data/files/checked-text.ts'

/** A record of a file, with the line where it begins. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** Longer records are refused, so that a quote that is never closed does not fill the memory. In bytes. */
const LONGEST_RECORD = 1024 * 1024
/** The parser may leave so many bytes of a chunk until it has seen the next one. */
const LOOKAHEAD = 16

/**
 * The records of a CSV file, some at a time: RFC 4180 with commas, semicolons or tabs, whichever the first line uses.
 * Empty lines are left out.
 */
export async function* readCsvRecords(text: AsyncIterable<Buffer>): AsyncGenerator<readonly CsvRecord[]> {
  let reader: CsvReader | undefined
  for await (const chunk of joinFirstLine(text)) {
    reader ??= new CsvReader(delimiterOf(chunk.toString('utf8')))
    yield* reader.read(chunk)
  }
  if (reader) yield* reader.end()
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

class CsvReader {
  private readonly parser: Parser
  private records: CsvRecord[] = []
  private readonly lines = new LineCounter()
  /** Where the record begins that is being read. */
  private line = 1

  constructor(delimiter: string) {
    this.parser = parse({
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      // A quote inside a cell that does not begin with one is a character like any other.
      relax_quotes: true,
      max_record_size: LONGEST_RECORD,
      // Records are taken here, where their place in the file is known, and never enter the stream.
      on_record: (cells: string[], { bytes }) => {
        if (cells.length > 1 || cells[0] !== '') this.records.push({ line: this.line, cells })
        this.line = this.lines.lineAt(bytes)
        return null
      },
    })
    // Every write answers its own error.
    this.parser.on('error', () => {})
  }

  async *read(chunk: Buffer): AsyncGenerator<readonly CsvRecord[]> {
    this.lines.add(chunk)
    yield* this.parsed((done) => this.parser.write(chunk, done))
  }

  end(): AsyncGenerator<readonly CsvRecord[]> {
    return this.parsed((done) => this.parser.end(done))
  }

  /** What comes before an error is good. */
  private async *parsed(parse: (done: (error?: Error | null) => void) => void): AsyncGenerator<readonly CsvRecord[]> {
    const error = await new Promise<Error | null | undefined>((resolve) => parse(resolve))
    const { records } = this
    this.records = []
    if (records.length > 0) yield records
    if (error) throw new FileError(`Line ${this.line}: ${reasonOf(error)}`)
  }
}

function reasonOf({ code, message }: Error & { code?: string }): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened here and never closed. The file may have been cut off.'
  if (code === 'CSV_MAX_RECORD_SIZE')
    return 'the record that begins here is longer than 1 MB. A quote may not have been closed.'
  return message
}

/** Tells on which line a byte of the file is, for bytes in ascending order. */
class LineCounter {
  private window: Buffer = Buffer.alloc(0)
  private offset = 0
  private line = 1
  private counted = 0

  add(chunk: Buffer): void {
    const kept = this.window.subarray(Math.max(0, this.window.length - LOOKAHEAD))
    const end = this.offset + this.window.length
    this.lineAt(Math.max(this.counted, end - kept.length))
    this.window = Buffer.concat([kept, chunk])
    this.offset = end - kept.length
  }

  lineAt(byte: number): number {
    this.line += countLines(this.window, this.counted - this.offset, byte - this.offset)
    this.counted = byte
    return this.line
  }
}
