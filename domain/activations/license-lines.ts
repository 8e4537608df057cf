/** Words that begin a line with a meaning. Every other line is a comment. */
export const KEYWORDS = [
  'SERVER',
  'VENDOR',
  'DAEMON',
  'USE_SERVER',
  'FEATURE',
  'INCREMENT',
  'UPGRADE',
  'PACKAGE',
  'FEATURESET',
] as const
export type Keyword = (typeof KEYWORDS)[number]

export type LicenseLine = {
  /** Absent for comments, blank lines and whatever else is no license line. */
  readonly keyword: Keyword | undefined
  /** White space separates words, but not within quotes; the first word is the keyword. */
  readonly words: readonly string[]
  /** The lines as they stand in the file: a keyword line comes with those that continue it. */
  readonly written: readonly string[]
  /** Where it begins, counted from 1. */
  readonly number: number
}

const KNOWN: ReadonlySet<string> = new Set(KEYWORDS)
const NO_WORDS: readonly string[] = []

export function licenseLines(text: string): LicenseLine[] {
  const written = writtenLines(text)
  const lines: LicenseLine[] = []
  for (let at = 0; at < written.length; ) {
    const first = written[at] ?? ''
    const keyword = keywordOf(first)
    // A comment is never continued: it may end in the backslash of a folder.
    const length = keyword ? blockLength(written, at) : 1
    const block = length === 1 ? [first] : written.slice(at, at + length)
    lines.push({ keyword, words: keyword ? wordsOf(joined(block)) : NO_WORDS, written: block, number: at + 1 })
    at += length
  }
  return lines
}

/** LF, CRLF and CR all end a line. */
export function writtenLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The whole first word, in any case: SERVERS is not SERVER. */
function keywordOf(line: string): Keyword | undefined {
  const word = /^\s*([a-z_]+)\\?(?!\S)/i.exec(line)?.[1]?.toUpperCase() ?? ''
  return KNOWN.has(word) ? (word as Keyword) : undefined
}

const isContinued = (line: string) => line.trimEnd().endsWith('\\')

function blockLength(lines: readonly string[], start: number): number {
  let end = start
  while (end < lines.length - 1 && isContinued(lines[end] ?? '')) end++
  return end - start + 1
}

function joined(block: readonly string[]): string {
  return block.map((line) => (isContinued(line) ? line.trimEnd().slice(0, -1) : line)).join(' ')
}

/** A quote that is never closed reaches to the end. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:[^\s"]+|"[^"]*(?:"|$))+/g) ?? []
  return words.map((word) => word.replace(/\s+/g, ' '))
}

/** The value of `name=value` or `name="value"` among the words; undefined if it is not there. */
export function attribute(words: readonly string[], name: string): string | undefined {
  const found = words.find((word) => word.startsWith(`${name}=`))
  return found
    ?.slice(name.length + 1)
    .replaceAll('"', '')
    .trim()
}
