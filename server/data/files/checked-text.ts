import { isUtf8 } from 'node:buffer'

/** Thrown when the rest of a file cannot be read: one line that says where and why. */
export class FileError extends Error {}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const NEW_LINE = 0x0a

type LineFault = { readonly line: number; readonly fault: string }

/**
 * Lines with invalid UTF-8, in the order of the file. The bytes that are passed on have replacement characters there.
 */
export class LineFaults {
  #faults: LineFault[] = []
  /** The first fault that was not discarded. */
  #next = 0

  add(line: number, fault: string): void {
    if (this.#faults.at(-1)?.line !== line) this.#faults.push({ line, fault })
  }

  /** The first fault before a line; earlier ones are discarded. */
  takeUntil(line: number): LineFault | undefined {
    const first = this.#faults[this.#next]
    if (first === undefined || first.line >= line) return undefined
    while ((this.#faults[this.#next]?.line ?? line) < line) this.#next++
    if (this.#next === this.#faults.length) {
      this.#faults = []
      this.#next = 0
    }
    return first
  }
}

/** Passes on the bytes of a UTF-8 file without its byte order mark, and records the lines with invalid UTF-8. */
export async function* checkText(chunks: AsyncIterable<Uint8Array>, faults: LineFaults): AsyncGenerator<Buffer> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : asBuffer(chunk)
    if (!isBegun && bytes.length < BYTE_ORDER_MARK.length) {
      rest = bytes
      continue
    }
    const text = isBegun ? bytes : withoutMark(bytes)
    isBegun = true
    const whole = text.subarray(0, text.length - cutLength(text))
    rest = text.subarray(whole.length)
    if (whole.length > 0) yield usable(whole, line, faults)
    line += countLines(whole)
  }
  if (!isBegun) rest = withoutMark(rest)
  if (!isBegun && rest.length === 0) throw new FileError('The file is empty.')
  if (rest.length > 0) yield usable(rest, line, faults)
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function withoutMark(bytes: Buffer): Buffer {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new FileError('The file is in UTF-16. Save it as UTF-8.')
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes
}

/** The number of bytes at the end that begin an incomplete character. */
function cutLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0
  }
  return 0
}

const lengthOf = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)

const NOT_UTF8 = 'The line is not valid UTF-8. Save the file as UTF-8.'
const HAS_NUL = 'The line contains the character U+0000.'

function usable(bytes: Buffer, firstLine: number, faults: LineFaults): Buffer {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes
  let line = firstLine
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(NEW_LINE, from)
    const some = bytes.subarray(from, end < 0 ? bytes.length : end)
    if (!isUtf8(some)) faults.add(line, NOT_UTF8)
    else if (some.includes(0)) faults.add(line, HAS_NUL)
    from = end < 0 ? bytes.length : end + 1
  }
  return Buffer.from(bytes.toString('utf8').replaceAll('\0', '\ufffd'))
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) count++
  return count
}
