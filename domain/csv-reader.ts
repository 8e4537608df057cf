export type CsvLine = { readonly line: number; readonly cells: readonly string[] }
type Csv = {
  readonly lines: readonly CsvLine[]
  /** The line of the first quote that is not closed at the end of its cell. What follows it cannot be read. */
  readonly openQuote?: number
}

const DELIMITERS = [',', ';', '\t'] as const

/**
 * Reads CSV as spreadsheets save it: RFC 4180 with commas, semicolons or tabs, whichever the first line uses, with any line
 * ends and an optional byte order mark. Quoted cells may hold delimiters and line breaks; `line` is where a record starts.
 */
export function readCsv(text: string): Csv {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  const delimiter = delimiterOf(content)
  const lines: CsvLine[] = []
  let cells: string[] = []
  let cell = ''
  /** Nothing but blanks stands in the cell so far. */
  let isBlank = true
  let isQuoted = false
  let isClosed = false
  let quotedAt = 1
  let line = 1
  let startedAt = 1
  const endRecord = () => {
    lines.push({ line: startedAt, cells: [...cells, cell] })
    cells = []
    cell = ''
    isBlank = true
    isClosed = false
    startedAt = line
  }
  for (let at = 0; at < content.length; at++) {
    const sign = content[at]
    if (isQuoted) {
      if (sign === '\n') line++
      if (sign !== '"') cell += sign
      else if (content[at + 1] === '"') {
        cell += '"'
        at++
      } else {
        isQuoted = false
        isClosed = true
      }
    } else if (sign === delimiter) {
      cells.push(cell)
      cell = ''
      isBlank = true
      isClosed = false
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && content[at + 1] === '\n') at++
      line++
      endRecord()
    } else if (isClosed) {
      // Blanks may follow a closing quote. Other text means that a quote before it was not closed.
      if (sign?.trim() !== '') return { lines, openQuote: quotedAt }
    } else if (sign === '"' && isBlank) {
      isQuoted = true
      quotedAt = line
      cell = ''
    } else {
      cell += sign
      isBlank &&= sign?.trim() === ''
    }
  }
  if (isQuoted) return { lines, openQuote: quotedAt }
  if (cell !== '' || cells.length > 0 || isClosed) endRecord()
  return { lines }
}

/** The one that the first line has most of. */
export function delimiterOf(content: string): string {
  const first = content.slice(0, content.search(/[\r\n]|$/))
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
