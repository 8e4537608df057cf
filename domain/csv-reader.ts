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
  const blanks = `[^\\S\\r\\n${delimiter}]*`
  const quotedCell = `${blanks}"([^"]*(?:""[^"]*)*)"${blanks}`
  const cell = new RegExp(`(?:${quotedCell}|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n?|\\n|$)`, 'gy')
  const lines: CsvLine[] = []
  let cells: string[] = []
  let line = 1
  let startedAt = 1
  for (const { 1: quoted, 2: plain = '', 3: end, index } of content.matchAll(cell)) {
    // Nothing follows the last line end.
    if (index === content.length && cells.length === 0) break
    if (plain.trimStart().startsWith('"')) return { lines, openQuote: line }
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    line += quoted === undefined ? 0 : quoted.split('\n').length - 1
    if (end === delimiter) continue
    lines.push({ line: startedAt, cells })
    startedAt = ++line
    cells = []
  }
  return { lines }
}

/** The one that the first line has most of. */
export function delimiterOf(content: string): string {
  const first = content.slice(0, content.search(/[\r\n]|$/))
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
