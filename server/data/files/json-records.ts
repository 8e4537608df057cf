import type { LineFaults } from '#server/data/files/checked-text.ts'

/** A line of a file, with its number and its value; a fault says why it has none. */
export type JsonRecord = { readonly line: number; readonly value?: unknown; readonly fault?: string }

const NEW_LINE = 0x0a
const MAX_LINE = 1024 * 1024

const TOO_LONG = 'The line is longer than 1 MB.'

/** The lines of a JSON lines file, some at a time. Empty lines are left out. */
export async function* readJsonRecords(
  text: AsyncIterable<Buffer>,
  faults: LineFaults,
): AsyncGenerator<readonly JsonRecord[]> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  /** The beginning of a line that is too long was discarded. */
  let isCut = false
  const take = (bytes: Buffer): JsonRecord[] => {
    const isTooLong = isCut || bytes.length > MAX_LINE
    isCut = false
    const bad = faults.takeUntil(line + 1)
    const records = isTooLong ? [{ line, fault: TOO_LONG }] : bad ? [bad] : readLine(bytes.toString('utf8'), line)
    line++
    return records
  }
  for await (const chunk of text) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const records: JsonRecord[] = []
    let from = 0
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, from)) {
      records.push(...take(bytes.subarray(from, end)))
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > MAX_LINE) {
      isCut = true
      rest = Buffer.alloc(0)
    }
    if (records.length > 0) yield records
  }
  if (rest.length === 0 && !isCut) return
  const records = take(rest).map((record) =>
    record.fault === undefined ? record : { ...record, fault: `${record.fault} The file may have been cut off.` },
  )
  if (records.length > 0) yield records
}

/** JSON escapes can produce characters that no text may contain. */
const ESCAPED_UNUSABLE = /\\u(?:0000|d[89a-f])/i

function readLine(text: string, line: number): JsonRecord[] {
  if (text.trim() === '') return []
  try {
    const value: unknown = JSON.parse(text)
    // JSON.stringify escapes half of a surrogate pair, but not whole pairs.
    if (ESCAPED_UNUSABLE.test(text) && ESCAPED_UNUSABLE.test(JSON.stringify(value)))
      return [{ line, fault: 'A text contains U+0000 or half of a surrogate pair.' }]
    return [{ line, value }]
  } catch {
    return [{ line, fault: 'This is not a JSON object on one line.' }]
  }
}
