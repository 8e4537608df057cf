/** A record with its first line and the line after it, or the fault of a line that is no record. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[]; readonly nextLine: number }
  | { readonly line: number; readonly fault: string }

/** Maximum length of a record in characters, so that an unclosed quote does not fill the memory. */
export const MAX_RECORD = 1024 * 1024

const UNCLOSED = 'A quote is opened on this line and never closed. The file may have been cut off.'
const UNCLOSED_SOON = 'A quote is opened on this line and not closed within 1 MB.'
const AFTER_QUOTE = 'A quote is opened on this line, and text follows where it is closed. Double a quote inside a cell.'
const BARE_QUOTE =
  'A cell without quotes around it has a quote inside. Put the cell in quotes and double the one inside.'
const TOO_LONG = 'The line is longer than 1 MB.'

const DELIMITERS = [',', ';', '\t'] as const

/** The separator that occurs most often in the first line. */
export function delimiterOf(content: string): string {
  const first = content.slice(0, content.search(/[\r\n]|$/))
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * The result of parsing one record: the record and where the next one begins, the position of a wrong quote, or that
 * more text is needed and which quote is open.
 */
type Reading =
  | { readonly cells: readonly string[]; readonly next: number }
  | { readonly fault: string; readonly quote: number }
  | { readonly openQuote: number | undefined }

/**
 * Reads CSV piece by piece: RFC 4180 with either line end. Empty lines are left out. After a fault, only that line is
 * lost: reading resumes with the next line.
 */
export class CsvReader {
  #text = ''
  /** Position of the first character that has not been read. */
  #from = 0
  #line = 1
  /** Position of the next quote. */
  #quote = -1
  #isSkipping = false
  readonly #delimiter: string
  readonly #isLenient: boolean

  /** A lenient reader takes what people type: blanks around quotes, and quotes inside a cell that has none around it. */
  constructor(delimiter: string, { isLenient = false } = {}) {
    this.#delimiter = delimiter
    this.#isLenient = isLenient
  }

  /** The records that this text completes. */
  add(text: string): CsvRecord[] {
    this.#text = this.#text.slice(this.#from) + text
    this.#from = 0
    this.#quote = this.#text.indexOf('"')
    return this.#records(false)
  }

  /** The last record. */
  end(): CsvRecord[] {
    return this.#records(true)
  }

  #records(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    while (this.#from < this.#text.length) {
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
    if (length > MAX_RECORD) return { line, fault: TOO_LONG }
    return cells.length === 1 && cells[0] === '' ? undefined : { line, cells, nextLine: this.#line }
  }

  #faultOf(reading: Exclude<Reading, { next: number }>, isLast: boolean): CsvRecord | 'more' {
    if ('fault' in reading) return this.#refuse(reading.fault, reading.quote)
    const { openQuote } = reading
    if (!isLast && this.#text.length - this.#from <= MAX_RECORD) return 'more'
    if (openQuote === undefined) return this.#refuse(TOO_LONG, this.#from)
    return this.#refuse(isLast ? UNCLOSED : UNCLOSED_SOON, openQuote)
  }

  /** Drops everything up to the end of the line on which the fault is. */
  #refuse(fault: string, at: number): CsvRecord {
    const line = this.#line + countLines(this.#text, this.#from, at)
    this.#goToLineAfter(at)
    return { line, fault }
  }

  /** Returns whether the skipped line has ended. */
  #skipLine(): boolean {
    this.#goToLineAfter(this.#from)
    return !this.#isSkipping
  }

  #goToLineAfter(at: number): void {
    const end = this.#text.indexOf('\n', at)
    this.#isSkipping = end < 0
    this.#goTo(end < 0 ? this.#text.length : end + 1)
  }

  #goTo(next: number): void {
    this.#line += countLines(this.#text, this.#from, next)
    this.#from = next
    if (this.#quote >= 0 && this.#quote < next) this.#quote = this.#text.indexOf('"', next)
  }

  #read(isLast: boolean): Reading {
    const text = this.#text
    const lineEnd = text.indexOf('\n', this.#from)
    const end = lineEnd < 0 ? text.length : lineEnd
    if (this.#quote >= 0 && this.#quote < end) return this.#readQuoted(isLast)
    if (lineEnd < 0 && !isLast) return { openQuote: undefined }
    return { cells: cellOf(text, this.#from, end).split(this.#delimiter), next: afterLine(text, end) }
  }

  /** A record with quotes, cell by cell. */
  #readQuoted(isLast: boolean): Reading {
    const text = this.#text
    const cells: string[] = []
    for (let at = this.#from; ; at++) {
      const begin = at
      at = this.#afterBlanks(at)
      if (text[at] === '"') {
        const open = at
        const close = closingQuote(text, open)
        at = close < 0 ? close : this.#afterBlanks(close + 1)
        if (close < 0 || (!isLast && isUndecided(text, at))) return { openQuote: open }
        cells.push(text.slice(open + 1, close).replaceAll('""', '"'))
        if (text[at] === this.#delimiter) continue
        if (text[at] === '\r' && text[at + 1] === '\n') at++
        return isLineEnd(text, at) ? { cells, next: afterLine(text, at) } : { fault: AFTER_QUOTE, quote: open }
      }
      while (!isLineEnd(text, at) && text[at] !== this.#delimiter)
        if (text[at++] === '"' && !this.#isLenient) return { fault: BARE_QUOTE, quote: at - 1 }
      if (at >= text.length && !isLast) return { openQuote: undefined }
      cells.push(cellOf(text, begin, at))
      if (isLineEnd(text, at)) return { cells, next: afterLine(text, at) }
    }
  }

  #afterBlanks(at: number): number {
    let after = at
    while (this.#isLenient && this.#text[after] !== this.#delimiter && BLANK.test(this.#text[after] ?? '')) after++
    return after
  }
}

const BLANK = /[^\S\r\n]/
const isLineEnd = (text: string, at: number) => at >= text.length || text[at] === '\n'
const afterLine = (text: string, end: number) => Math.min(end + 1, text.length)

/** Removes the carriage return of a line end. */
function cellOf(text: string, begin: number, end: number): string {
  const isWindowsEnd = text[end] === '\n' && end > begin && text[end - 1] === '\r'
  return text.slice(begin, isWindowsEnd ? end - 1 : end)
}

/** A doubled quote is one quote character of the cell. */
function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  return close
}

/** The character after the quote has not arrived yet. */
const isUndecided = (text: string, after: number) =>
  after >= text.length || (text[after] === '\r' && after + 1 >= text.length)

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
