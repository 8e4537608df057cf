/** A line of a text that arrives in pieces. */
export type TextLine = {
  readonly text: string
  /** False for a last line that does not end in a line break. */
  readonly isComplete: boolean
  readonly hasNulBytes: boolean
  /** The line is longer than `MAX_LINE`, and its text is left out. */
  readonly isTooLong: boolean
}

export type LineSplitter = {
  /** The complete lines of a piece, one by one. What follows the last line break waits for the next piece. */
  push(bytes: Uint8Array): Iterable<TextLine>
  /** The unfinished last line, if there is one. */
  end(): TextLine[]
  /** Bytes that wait for their line break. */
  rest(): Uint8Array
  /** Some line was no UTF-8 and was read as Latin-1. */
  isLatin1(): boolean
}

/** In bytes. No license manager writes a longer line, and a file without line breaks must not fill the memory. */
const MAX_LINE = 4 * 1024
/** So much is kept of an unfinished line: enough to see that it is too long, whether or not it ends in CRLF. */
const KEPT = MAX_LINE + 2
const LINE_FEED = 10
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const latin1 = new TextDecoder('windows-1252')

/** Splits bytes into lines: LF or CRLF, an optional byte order mark, UTF-8 or else Latin-1, and blocks of NUL bytes that crashes leave. */
export function createLineSplitter(): LineSplitter {
  let rest: Uint8Array = new Uint8Array(0)
  let isFirst = true
  let latin1Seen = false

  function toLine(bytes: Uint8Array, isComplete: boolean): TextLine {
    const ends = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
    if (ends.length > MAX_LINE) {
      isFirst = false
      return { text: '', isComplete, hasNulBytes: false, isTooLong: true }
    }
    const hasNulBytes = ends.includes(0)
    const kept = hasNulBytes ? ends.filter((byte) => byte !== 0) : ends
    let text: string
    try {
      text = utf8.decode(kept)
    } catch {
      latin1Seen = true
      text = latin1.decode(kept)
    }
    if (isFirst && text.startsWith('\ufeff')) text = text.slice(1)
    isFirst = false
    return { text, isComplete, hasNulBytes, isTooLong: false }
  }

  return {
    *push(piece) {
      const bytes = rest.length ? joined(rest, piece) : piece
      let from = 0
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
        yield toLine(bytes.subarray(from, Math.min(end, from + KEPT)), true)
        from = end + 1
      }
      rest = bytes.slice(from, from + KEPT)
    },
    end() {
      if (!rest.length) return []
      const last = toLine(rest, false)
      rest = new Uint8Array(0)
      return [last]
    },
    rest: () => rest,
    isLatin1: () => latin1Seen,
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length)
  bytes.set(one)
  bytes.set(other, one.length)
  return bytes
}
