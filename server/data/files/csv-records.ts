import { delimiterOf } from '#domain/csv-reader.ts'
import { countLines, type LineFaults } from '#server/data/files/checked-text.ts'

/** A record of a file, with the line where it begins; or why the line begins none. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string }

/** Longer records are refused, so that a quote that is never closed does not fill the memory. In bytes. */
const LONGEST_RECORD = 1024 * 1024

const QUOTE = 0x22
const NEW_LINE = 0x0a
const RETURN = 0x0d

const UNCLOSED = 'A quote is opened on this line and never closed. The file may have been cut off.'
const UNCLOSED_SOON = 'A quote is opened on this line and not closed within 1 MB.'
const AFTER_QUOTE = 'A quote is opened on this line, and text follows where it is closed. Double a quote inside a cell.'
const BARE_QUOTE =
  'A cell without quotes around it has a quote inside. Put the cell in quotes and double the one inside.'
const TOO_LONG = 'The line is longer than 1 MB.'

/**
 * The records of a CSV file, some at a time: RFC 4180 with commas, semicolons or tabs, whichever the first line uses.
 * Empty lines are left out.
 */
export async function* readCsvRecords(
  text: AsyncIterable<Buffer>,
  faults: LineFaults,
): AsyncGenerator<readonly CsvRecord[]> {
  let reader: CsvReader | undefined
  for await (const chunk of joinFirstLine(text)) {
    reader ??= new CsvReader(delimiterOf(chunk.toString('utf8')), faults)
    yield reader.add(chunk)
  }
  if (reader) yield reader.end()
}

/** Passes the chunks on, with the whole first line in the first one. */
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

/** A record and where the next one begins; where the quote is that makes it none; or that more bytes are needed, and which quote is open. */
type Reading =
  | { readonly cells: readonly string[]; readonly next: number }
  | { readonly fault: string; readonly quote: number }
  | { readonly openQuote: number | undefined }

/** Of a record that is none only the line with the fault is lost: the line after it begins a record again. */
class CsvReader {
  #bytes: Buffer = Buffer.alloc(0)
  /** What comes before is dealt with. */
  #from = 0
  #line = 1
  /** The next quote from there on. */
  #quote = -1
  #isSkipping = false
  readonly #delimiter: string
  readonly #delimiterByte: number
  readonly #faults: LineFaults

  constructor(delimiter: string, faults: LineFaults) {
    this.#delimiter = delimiter
    this.#delimiterByte = delimiter.charCodeAt(0)
    this.#faults = faults
  }

  /** The records that are whole with these bytes. */
  add(chunk: Buffer): CsvRecord[] {
    const rest = this.#bytes.subarray(this.#from)
    this.#bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    this.#from = 0
    this.#quote = this.#bytes.indexOf(QUOTE)
    return this.#records(false)
  }

  /** The rest. */
  end(): CsvRecord[] {
    return this.#records(true)
  }

  #records(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    while (this.#from < this.#bytes.length) {
      if (this.#isSkipping && !this.#skipLine()) break
      const reading = this.#read(isLast)
      const record = 'cells' in reading ? this.#take(reading) : this.#faultOf(reading, isLast)
      if (record === 'more') break
      if (record) records.push(record)
    }
    return records
  }

  /** Empty lines are left out. */
  #take({ cells, next }: Extract<Reading, { next: number }>): CsvRecord | undefined {
    const line = this.#line
    const length = next - this.#from
    this.#goTo(next)
    const bad = this.#faults.takeUntil(this.#line)
    if (bad) return bad
    if (length > LONGEST_RECORD) return { line, fault: TOO_LONG }
    return cells.length === 1 && cells[0] === '' ? undefined : { line, cells }
  }

  #faultOf(reading: Exclude<Reading, { next: number }>, isLast: boolean): CsvRecord | 'more' {
    if ('fault' in reading) return this.#refuse(reading.fault, reading.quote)
    const { openQuote } = reading
    if (!isLast && this.#bytes.length - this.#from <= LONGEST_RECORD) return 'more'
    if (openQuote === undefined) return this.#refuse(TOO_LONG, this.#from)
    return this.#refuse(isLast ? UNCLOSED : UNCLOSED_SOON, openQuote)
  }

  /** Drops everything up to the end of the line on which the fault is. */
  #refuse(fault: string, at: number): CsvRecord {
    const line = this.#line + countLines(this.#bytes, this.#from, at)
    this.#goToLineAfter(at)
    return this.#faults.takeUntil(line + 1) ?? { line, fault }
  }

  /** Answers whether the line that is left out has ended. */
  #skipLine(): boolean {
    this.#goToLineAfter(this.#from)
    this.#faults.takeUntil(this.#line)
    return !this.#isSkipping
  }

  #goToLineAfter(at: number): void {
    const end = this.#bytes.indexOf(NEW_LINE, at)
    this.#isSkipping = end < 0
    this.#goTo(end < 0 ? this.#bytes.length : end + 1)
  }

  #goTo(next: number): void {
    this.#line += countLines(this.#bytes, this.#from, next)
    this.#from = next
    if (this.#quote >= 0 && this.#quote < next) this.#quote = this.#bytes.indexOf(QUOTE, next)
  }

  #read(isLast: boolean): Reading {
    const bytes = this.#bytes
    const lineEnd = bytes.indexOf(NEW_LINE, this.#from)
    const end = lineEnd < 0 ? bytes.length : lineEnd
    if (this.#quote >= 0 && this.#quote < end) return this.#readQuoted(isLast)
    if (lineEnd < 0 && !isLast) return { openQuote: undefined }
    return { cells: textOf(bytes, this.#from, end).split(this.#delimiter), next: afterLine(bytes, end) }
  }

  /** A record with quotes, cell by cell. */
  #readQuoted(isLast: boolean): Reading {
    const bytes = this.#bytes
    const cells: string[] = []
    for (let at = this.#from; ; at++) {
      const begin = at
      if (bytes[at] === QUOTE) {
        const close = closingQuote(bytes, at)
        at = close + 1
        if (close < 0 || (!isLast && isUndecided(bytes, at))) return { openQuote: begin }
        cells.push(bytes.toString('utf8', begin + 1, close).replaceAll('""', '"'))
        if (bytes[at] === this.#delimiterByte) continue
        if (bytes[at] === RETURN && bytes[at + 1] === NEW_LINE) at++
        return isLineEnd(bytes, at) ? { cells, next: afterLine(bytes, at) } : { fault: AFTER_QUOTE, quote: begin }
      }
      while (!isLineEnd(bytes, at) && bytes[at] !== this.#delimiterByte)
        if (bytes[at++] === QUOTE) return { fault: BARE_QUOTE, quote: at - 1 }
      if (at >= bytes.length && !isLast) return { openQuote: undefined }
      cells.push(textOf(bytes, begin, at))
      if (isLineEnd(bytes, at)) return { cells, next: afterLine(bytes, at) }
    }
  }
}

const isLineEnd = (bytes: Buffer, at: number) => at >= bytes.length || bytes[at] === NEW_LINE
const afterLine = (bytes: Buffer, end: number) => Math.min(end + 1, bytes.length)

/** Without the carriage return of a line end. */
function textOf(bytes: Buffer, begin: number, end: number): string {
  const isWindowsEnd = bytes[end] === NEW_LINE && end > begin && bytes[end - 1] === RETURN
  return bytes.toString('utf8', begin, isWindowsEnd ? end - 1 : end)
}

/** A quote that another one follows is a character of the cell. */
function closingQuote(bytes: Buffer, open: number): number {
  let close = bytes.indexOf(QUOTE, open + 1)
  while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2)
  return close
}

/** What follows a quote is not there yet. */
const isUndecided = (bytes: Buffer, after: number) =>
  after >= bytes.length || (bytes[after] === RETURN && after + 1 >= bytes.length)
