import { isUtf8 } from 'node:buffer'

/** The file as a whole cannot be used from here on: one line that says where and why. */
export class FileError extends Error {}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const NEW_LINE = 0x0a

/** Passes on the bytes of a UTF-8 file without its byte order mark, and refuses what is no text. */
export async function* checkText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
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
    refuseUnusable(whole, line)
    line += countLines(whole)
    if (whole.length > 0) yield whole
  }
  if (!isBegun) rest = withoutMark(rest)
  if (!isBegun && rest.length === 0) throw new FileError('The file is empty.')
  refuseUnusable(rest, line)
  if (rest.length > 0) yield rest
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

/** How many bytes at the end begin a character that the next chunk goes on with. */
function cutLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0
  }
  return 0
}

const lengthOf = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)

function refuseUnusable(bytes: Buffer, firstLine: number): void {
  if (isUtf8(bytes) && !bytes.includes(0)) return
  let line = firstLine
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(NEW_LINE, from)
    const some = bytes.subarray(from, end < 0 ? bytes.length : end)
    if (!isUtf8(some)) throw new FileError(`Line ${line} is not valid UTF-8. Save the file as UTF-8.`)
    if (some.includes(0)) throw new FileError(`Line ${line} contains the character U+0000.`)
    from = end < 0 ? bytes.length : end + 1
  }
}

export function countLines(bytes: Buffer, from = 0, to = bytes.length): number {
  let count = 0
  for (let at = bytes.indexOf(NEW_LINE, from); at >= 0 && at < to; at = bytes.indexOf(NEW_LINE, at + 1)) count++
  return count
}
