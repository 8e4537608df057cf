import { createLmstatReader } from '#domain/license-use/lmstat-reader.ts'
import { createLmstatTableReader } from '#domain/license-use/lmstat-table-reader.ts'
import { showsDayFirst } from '#domain/license-use/log-clock.ts'
import { createLogReader } from '#domain/license-use/log-reader.ts'
import { createLogResult } from '#domain/license-use/log-result.ts'
import { createOptionsReader } from '#domain/license-use/options-reader.ts'
import { detectTextKind, LINES_OF_KIND } from '#domain/license-use/text-kind.ts'
import { createLineSplitter, type TextLine } from '#domain/license-use/text-lines.ts'

/** What was understood of a whole text, for texts that fit into memory. */
export function readUsageText(bytes: Uint8Array) {
  const splitter = createLineSplitter()
  const lines = [...splitter.push(bytes), ...splitter.end()]
  const kind = detectTextKind(lines.slice(0, LINES_OF_KIND).map(({ text }) => text))
  if (kind === 'unknown') return { kind, refused: true as const }
  const result = readLines(kind, lines)
  if (splitter.isLatin1()) result.problems.push({ line: null, code: 'encoding-latin1' })
  return result
}

function readLines(kind: 'lmstat' | 'lmstat-i' | 'log' | 'options', lines: readonly TextLine[]) {
  if (kind === 'log') {
    const collected = createLogResult()
    const isDayFirst = lines.some(({ text }) => showsDayFirst(text.replace(/^.*?\([^()\s]+\) /, '')))
    const reader = createLogReader(collected.add, {}, { isDayFirst })
    for (const line of lines) reader.read(line)
    reader.end()
    return collected.result()
  }
  const reader =
    kind === 'lmstat' ? createLmstatReader() : kind === 'lmstat-i' ? createLmstatTableReader() : createOptionsReader()
  for (const line of lines) reader.read(line)
  return reader.result()
}
