import { FORMULA_SIGNS, looksLikeFormula, UNSEEN } from '#domain/csv.ts'

/**
 * Separates the values of a column: a control character that hardly any text contains. Texts that contain it escape it.
 */
export const SEPARATOR = '\x1f'
export const ESCAPE = '\x1e'
/** What follows the escape in place of the separator and of the escape itself. */
export const ESCAPED = { separator: 's', escape: 'e' }

/** All values of one column as UTF-8, each followed by the separator, and how far they have been read. */
export type ColumnReader = { readonly bytes: Uint8Array; at: number; readonly isEscaped: boolean }

/** Writes one value as a cell, and returns the position after it. */
export type CellWriter = (from: ColumnReader, to: Uint8Array, put: number) => number

const byteOf = (character: string) => character.charCodeAt(0)
const END = byteOf(SEPARATOR)
const ESCAPING = byteOf(ESCAPE)
const QUOTE = byteOf('"')
const APOSTROPHE = byteOf("'")
const DOT = byteOf('.')
const ZERO = byteOf('0')
const TIME = byteOf('T')
const SPACE = byteOf(' ')
const ESCAPED_ESCAPE = byteOf(ESCAPED.escape)

/** A buffer of at least this many bytes, reused for every piece of a list: new ones would fill the heap. */
export type Room = (bytes: number) => Buffer

export function growingRoom(): Room {
  let room = Buffer.alloc(0)
  return (bytes) => {
    if (room.length < bytes) room = Buffer.allocUnsafe(bytes * 2)
    return room
  }
}

export function readersOf(columns: readonly string[], isEscaped: boolean, room: Room): ColumnReader[] {
  // No character is longer than three bytes for each of its units.
  const bytes = room(columns.reduce((sum, text) => sum + text.length * 3 + 1, 0))
  let put = 0
  return columns.map((text) => {
    const begin = put
    put += bytes.write(text, put)
    bytes[put++] = END
    return { bytes: bytes.subarray(begin, put), at: 0, isEscaped }
  })
}

/** Every value was read and nothing is left, so no value contained the separator. */
export const isReadToItsEnd = ({ bytes, at }: ColumnReader) => at === bytes.length

/** Reading past the end gives the end again. */
const byteAt = (bytes: Uint8Array, at: number): number => (at < bytes.length ? (bytes[at] as number) : END)

/** Booleans and days, which no spreadsheet takes for a formula. A missing value is an empty cell. */
export const plainCell: CellWriter = (from, to, put) => {
  const { bytes } = from
  let { at } = from
  for (let byte = byteAt(bytes, at); byte !== END; byte = byteAt(bytes, ++at)) to[put++] = byte
  from.at = at + 1
  return put
}

/** Without needless zeros: 30.00 is 30. */
export const numberCell: CellWriter = (from, to, begin) => {
  const end = plainCell(from, to, begin)
  let dot = begin
  while (dot < end && to[dot] !== DOT) dot++
  let put = end
  while (put > dot && to[put - 1] === ZERO) put--
  return put === dot + 1 ? dot : put
}

/** Converts "2026-01-31T09:30:00.5" from JSON to 2026-01-31 09:30:00, which every spreadsheet reads as a time. */
export const instantCell: CellWriter = (from, to, begin) => {
  const { bytes } = from
  let { at } = from
  let put = begin
  let isFraction = false
  for (let byte = byteAt(bytes, at); byte !== END; byte = byteAt(bytes, ++at)) {
    if (byte === DOT) isFraction = true
    if (byte !== QUOTE && !isFraction) to[put++] = byte === TIME ? SPACE : byte
  }
  from.at = at + 1
  return put
}

/** Writes what `csvCell` of the domain writes: in quotes, with quotes doubled, and never a formula. */
export const textCell: CellWriter = (from, to, put) => {
  const { bytes, isEscaped } = from
  let { at } = from
  to[put++] = QUOTE
  if (MAY_START_FORMULA[byteAt(bytes, at)] === 1 && startsFormula(bytes, at, isEscaped)) to[put++] = APOSTROPHE
  for (;;) {
    let byte = byteAt(bytes, at++)
    // Nearly every byte is above all special characters and costs only this comparison.
    while (byte > QUOTE) {
      to[put++] = byte
      byte = bytes[at++] as number
    }
    if (byte === END || at > bytes.length) break
    if (byte === QUOTE) to[put++] = QUOTE
    else if (byte === ESCAPING && isEscaped) byte = bytes[at++] === ESCAPED_ESCAPE ? ESCAPING : END
    to[put++] = byte
  }
  from.at = at
  to[put++] = QUOTE
  return put
}

/** Text that may be missing has a mark in front where it is not. */
export const optionalTextCell: CellWriter = (from, to, put) =>
  from.bytes[from.at++] === END ? put : textCell(from, to, put)

/** First bytes of text that can look like a formula. Nearly every cell begins with another byte. */
const MAY_START_FORMULA = new Uint8Array(256)
for (const [first, last] of [...UNSEEN, ...FORMULA_SIGNS.map((sign) => [sign, sign] as const)])
  for (let code = first; code <= last; code++) MAY_START_FORMULA[Buffer.from(String.fromCharCode(code))[0] ?? 0] = 1

/** Only control characters are escaped: any of them stands for all. */
const ESCAPED_CONTROL = new RegExp(`${ESCAPE}.`, 'gs')

/** The rule of the domain. */
function startsFormula(bytes: Uint8Array, at: number, isEscaped: boolean): boolean {
  const end = bytes.indexOf(END, at)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, end < 0 ? bytes.length : end))
  return looksLikeFormula(isEscaped ? text.replaceAll(ESCAPED_CONTROL, SEPARATOR) : text)
}
