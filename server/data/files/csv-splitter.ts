import { countLines, type LineFaults } from '#server/data/files/checked-text.ts'

/** The bytes of a record, with its line end; or why what begins on the line is no record. */
export type CsvPiece =
  | { readonly line: number; readonly bytes: Buffer }
  | { readonly line: number; readonly fault: string }

/** Longer records are refused, so that a quote that is never closed does not fill the memory. In bytes. */
export const LONGEST_RECORD = 1024 * 1024

const QUOTE = 0x22
const NEW_LINE = 0x0a
const RETURN = 0x0d

const UNCLOSED = 'A quote is opened on this line and never closed. The file may have been cut off.'
const UNCLOSED_SOON = 'A quote is opened on this line and not closed within 1 MB.'
const AFTER_QUOTE = 'A quote is opened on this line, and text follows where it is closed. Double a quote inside a cell.'
const BARE_QUOTE =
  'A cell without quotes around it has a quote inside. Put the cell in quotes and double the one inside.'
const TOO_LONG = 'The line is longer than 1 MB.'

/** Where a record ends; where the quote is that makes it none; or that more bytes are needed, and which quote is open. */
type End =
  | { readonly next: number }
  | { readonly fault: string; readonly quote: number }
  | { readonly openQuote: number | undefined }

/**
 * Cuts the bytes of a CSV file into records. Of a record that is none only the line with the fault is lost: the line after
 * it begins a record again.
 */
export class CsvSplitter {
  #bytes: Buffer = Buffer.alloc(0)
  /** What comes before is dealt with. */
  #from = 0
  #line = 1
  /** The next quote from there on. */
  #quote = -1
  #isSkipping = false
  readonly #delimiter: number
  readonly #faults: LineFaults

  constructor(delimiter: string, faults: LineFaults) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#faults = faults
  }

  /** The pieces that are whole with these bytes. */
  add(chunk: Buffer): CsvPiece[] {
    const rest = this.#bytes.subarray(this.#from)
    this.#bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    this.#from = 0
    this.#quote = this.#bytes.indexOf(QUOTE)
    return this.#pieces(false)
  }

  /** The rest. */
  end(): CsvPiece[] {
    return this.#pieces(true)
  }

  #pieces(isLast: boolean): CsvPiece[] {
    const pieces: CsvPiece[] = []
    while (this.#from < this.#bytes.length) {
      if (this.#isSkipping && !this.#skipLine()) break
      const end = this.#endOfRecord(isLast)
      const piece = 'next' in end ? this.#take(end.next) : this.#faultOf(end, isLast)
      if (piece === 'more') break
      if (piece) pieces.push(piece)
    }
    return pieces
  }

  /** Empty lines are left out. */
  #take(next: number): CsvPiece | undefined {
    const line = this.#line
    const bytes = this.#bytes.subarray(this.#from, next)
    this.#goTo(next)
    const bad = this.#faults.takeUntil(this.#line)
    if (bad) return bad
    if (bytes.length > LONGEST_RECORD) return { line, fault: TOO_LONG }
    const isEmpty = bytes[0] === NEW_LINE || (bytes[0] === RETURN && bytes[1] === NEW_LINE)
    return isEmpty ? undefined : { line, bytes }
  }

  #faultOf(end: Exclude<End, { next: number }>, isLast: boolean): CsvPiece | 'more' {
    if ('fault' in end) return this.#refuse(end.fault, end.quote)
    const { openQuote } = end
    if (!isLast && this.#bytes.length - this.#from <= LONGEST_RECORD) return 'more'
    if (openQuote === undefined) return this.#refuse(TOO_LONG, this.#from)
    return this.#refuse(isLast ? UNCLOSED : UNCLOSED_SOON, openQuote)
  }

  /** Drops everything up to the end of the line on which the fault is. */
  #refuse(fault: string, at: number): CsvPiece {
    const line = this.#line + countLines(this.#bytes, this.#from, at)
    const end = this.#bytes.indexOf(NEW_LINE, at)
    this.#isSkipping = end < 0
    this.#goTo(end < 0 ? this.#bytes.length : end + 1)
    return this.#faults.takeUntil(line + 1) ?? { line, fault }
  }

  /** Answers whether the line that is left out has ended. */
  #skipLine(): boolean {
    const end = this.#bytes.indexOf(NEW_LINE, this.#from)
    this.#isSkipping = end < 0
    this.#goTo(end < 0 ? this.#bytes.length : end + 1)
    this.#faults.takeUntil(this.#line)
    return !this.#isSkipping
  }

  #goTo(next: number): void {
    this.#line += countLines(this.#bytes, this.#from, next)
    this.#from = next
    if (this.#quote >= 0 && this.#quote < next) this.#quote = this.#bytes.indexOf(QUOTE, next)
  }

  #endOfRecord(isLast: boolean): End {
    const bytes = this.#bytes
    const lineEnd = bytes.indexOf(NEW_LINE, this.#from)
    const hasQuote = this.#quote >= 0 && (lineEnd < 0 || this.#quote < lineEnd)
    if (!hasQuote) return lineEnd >= 0 ? { next: lineEnd + 1 } : atEnd(bytes, isLast)
    for (let at = this.#from; ; at++) {
      if (bytes[at] === QUOTE) {
        const close = closingQuote(bytes, at)
        const after = close + 1
        if (close < 0 || (!isLast && isUndecided(bytes, after))) return { openQuote: at }
        if (bytes[after] !== this.#delimiter) return lineEndAt(bytes, after) ?? { fault: AFTER_QUOTE, quote: at }
        at = after
        continue
      }
      while (at < bytes.length && bytes[at] !== this.#delimiter && bytes[at] !== NEW_LINE)
        if (bytes[at++] === QUOTE) return { fault: BARE_QUOTE, quote: at - 1 }
      if (bytes[at] === NEW_LINE) return { next: at + 1 }
      if (at >= bytes.length) return atEnd(bytes, isLast)
    }
  }
}

const atEnd = (bytes: Buffer, isLast: boolean): End => (isLast ? { next: bytes.length } : { openQuote: undefined })

/** A quote that another one follows is a character of the cell. */
function closingQuote(bytes: Buffer, open: number): number {
  let close = bytes.indexOf(QUOTE, open + 1)
  while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2)
  return close
}

/** What follows a quote is not there yet. */
const isUndecided = (bytes: Buffer, after: number) =>
  after >= bytes.length || (bytes[after] === RETURN && after + 1 >= bytes.length)

function lineEndAt(bytes: Buffer, at: number): End | undefined {
  if (at >= bytes.length || bytes[at] === NEW_LINE) return { next: Math.min(at + 1, bytes.length) }
  return bytes[at] === RETURN && bytes[at + 1] === NEW_LINE ? { next: at + 2 } : undefined
}
