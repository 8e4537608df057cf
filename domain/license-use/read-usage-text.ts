import { createLmstatReader } from '#domain/license-use/lmstat/lmstat-reader.ts'
import { createLmstatTableReader } from '#domain/license-use/lmstat/lmstat-table-reader.ts'
import { showsDayFirst } from '#domain/license-use/logs/log-clock.ts'
import { createLogReader } from '#domain/license-use/logs/log-reader.ts'
import { createLogResult } from '#domain/license-use/logs/log-result.ts'
import { mergeLogs } from '#domain/license-use/logs/merged-logs.ts'
import { listNamedServers } from '#domain/license-use/logs/named-servers.ts'
import { createOptionsReader } from '#domain/license-use/logs/options-reader.ts'
import { detectTextKind, LINES_OF_KIND } from '#domain/license-use/text-kind.ts'
import { createLineSplitter, type TextLine } from '#domain/license-use/text-lines.ts'

type UsageText = ReturnType<typeof readUsageText>
type Log = Extract<UsageText, { kind: 'log' }>
type File = { readonly file: string; readonly bytes: Uint8Array }

/** What was understood of several texts. Logs that do not name different license servers are rotated files of one log. */
export function readUsageTexts(files: readonly File[]) {
  const read = files.map(({ file, bytes }) => ({ bytes, result: { file, ...readUsageText(bytes) } }))
  const logs = read.flatMap(({ bytes, result }) => (result.kind === 'log' ? [{ bytes, result }] : []))
  const servers = new Set(logs.flatMap(({ result }) => result.servers.slice(0, 1)))
  const joined = Map.groupBy(logs, ({ result }) => (servers.size > 1 ? result.servers[0] : ''))
  return [
    ...[...joined.values()].map(joinFiles),
    ...read.flatMap(({ result }) => (result.kind === 'log' ? [] : [result])),
  ]
}

function joinFiles(logs: readonly { readonly bytes: Uint8Array; readonly result: Log & { readonly file: string } }[]) {
  const [first] = logs
  if (first && logs.length === 1) return first.result
  const texts = logs.map(({ bytes }) => linesOf(bytes).lines)
  const merged = mergeLogs(
    texts,
    texts.flat().some(({ text }) => isDayFirstLine(text)),
  )
  const result = readLog(merged.map((text) => ({ text, isComplete: true, hasNulBytes: false, isTooLong: false })))
  const problems = logs.flatMap(({ result: { file, problems } }) => problems.map((problem) => ({ file, ...problem })))
  return { files: logs.map(({ result }) => result.file), ...result, problems }
}

function linesOf(bytes: Uint8Array) {
  const splitter = createLineSplitter()
  return { lines: [...splitter.push(bytes), ...splitter.end()], isLatin1: splitter.isLatin1() }
}

/** What was understood of a whole text, for texts that fit into memory. */
export function readUsageText(bytes: Uint8Array) {
  const { lines, isLatin1 } = linesOf(bytes)
  const kind = detectTextKind(lines.slice(0, LINES_OF_KIND).map(({ text }) => text))
  if (kind === 'unknown') return { kind, refused: true as const }
  const result = readLines(kind, lines)
  if (isLatin1) result.problems.push({ line: null, code: 'encoding-latin1' })
  return result
}

function readLines(kind: 'lmstat' | 'lmstat-i' | 'log' | 'options', lines: readonly TextLine[]) {
  if (kind === 'log') return readLog(lines)
  const reader =
    kind === 'lmstat' ? createLmstatReader() : kind === 'lmstat-i' ? createLmstatTableReader() : createOptionsReader()
  for (const line of lines) reader.read(line)
  return reader.result()
}

function readLog(lines: readonly TextLine[]) {
  const collected = createLogResult()
  const dayFirst = lines.findIndex(({ text }) => isDayFirstLine(text))
  if (dayFirst >= 0) collected.add({ kind: 'problem', line: dayFirst + 1, code: 'day-first' })
  const reader = createLogReader(collected.add, {}, { isDayFirst: dayFirst >= 0 })
  for (const line of lines) reader.read(line)
  reader.end()
  return { ...collected.result(), servers: listNamedServers(lines.map(({ text }) => text)) }
}

const isDayFirstLine = (text: string) => showsDayFirst(text.replace(/^.*?\([^()\s]+\) /, ''))
