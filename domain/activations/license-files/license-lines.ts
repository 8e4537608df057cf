/** Keywords of license lines. Every other line is a comment. */
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
  /** Absent for comments, blank lines and all other lines that are no license lines. */
  readonly keyword: Keyword | undefined
  /** White space separates words, but not within quotes; the first word is the keyword. */
  readonly words: readonly string[]
  /** The lines as they stand in the file: a keyword line comes with those that continue it. */
  readonly written: readonly string[]
  /** The number of its first line, counted from 1. */
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
export function keywordOf(line: string): Keyword | undefined {
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

/** First words of an options file, in which an administrator tells a vendor daemon who may use what. */
const OPTIONS: ReadonlySet<string> = new Set(
  `BORROW_LOWWATER DEBUGLOG EXCLUDE EXCLUDE_BORROW EXCLUDEALL FQDN_MATCHING GROUP GROUPCASEINSENSITIVE HOST_GROUP INCLUDE
   INCLUDE_BORROW INCLUDEALL LINGER MAX MAX_BORROW_HOURS MAX_OVERDRAFT NOLOG REPORTLOG RESERVE TIMEOUT TIMEOUTALL`.split(
    /\s+/,
  ),
)
const HTML = /^\s*(?:<!--[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|div|table|p|span|meta)[\s>]/i
const XML = /^\s*<\?xml/i
const TOOL_OUTPUT =
  /^[ \t]*(?<tool>lm[a-z]+) - Copyright|^[ \t]*(?:Flexible License Manager status on|License server status:)/m
/** Lines of another license manager: ISV and its daemon, LICENSE with at least five fields. */
const RLM = /^[ \t]*(?:ISV[ \t]+\w|LICENSE(?:[ \t]+[^\s=]+){5})/m
const LOG = /^[ \t]*\d{1,2}:\d\d:\d\d \([\w.-]+\) /m

/**
 * The kind of a text that is no license file of ours, in words that complete "This is …". Undefined if it may be one.
 */
export function foreignTextKind(text: string, lines: readonly LicenseLine[]): string | undefined {
  if (text.trim() === '') return 'an empty file'
  if (HTML.test(text)) return 'a web page'
  if (XML.test(text)) return 'an XML document'
  const tool = TOOL_OUTPUT.exec(text)
  if (tool) return `the output of ${tool.groups?.tool ?? 'lmstat'}`
  if (LOG.test(text)) return 'a log of a license manager'
  if (!lines.some(isFeature) && RLM.test(text)) return 'an RLM license file'
  const firstWords = writtenLines(text).map((line) => /^\s*(\S+)\s+\S/.exec(line)?.[1] ?? '')
  const hasKeyword = lines.some(({ keyword }) => keyword !== undefined)
  return !hasKeyword && firstWords.some((word) => OPTIONS.has(word)) ? 'an options file' : undefined
}

export const isFeature = ({ keyword }: LicenseLine) => keyword === 'FEATURE' || keyword === 'INCREMENT'
