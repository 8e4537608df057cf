import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell } from '#domain/csv.ts'
import {
  ESCAPE,
  ESCAPED,
  growingRoom,
  isReadToItsEnd,
  readersOf,
  SEPARATOR,
  textCell,
} from '#server/lists/csv-cells.ts'
import { runs } from '#server/lists/testing/arbitraries.ts'

/** Characters that may begin a formula, characters that may precede it, and ordinary text. */
const TRICKY = [
  ...'=+-@＝＋－＠',
  ...' \t\r\n"\',;',
  ...'\u0000\u0001\u001c\u001d\u001e\u001f\u007f\u0080\u0085\u009f',
  ...'\u00a0\u00ad\u1680\u180e\u2000\u200a\u200b\u200d\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff',
  ...'aZ09.éß山カ€\u06dd\ud7ff\ue000\ufffd\u{1f600}',
]
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...TRICKY), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/** All values of a column as the byte writer makes cells of them, joined as the database joins them. */
function bytesOf(values: readonly string[], isEscaped: boolean): string[] {
  const escaped = (value: string) =>
    value.replaceAll(ESCAPE, ESCAPE + ESCAPED.escape).replaceAll(SEPARATOR, ESCAPE + ESCAPED.separator)
  const column = values.map((value) => (isEscaped ? escaped(value) : value)).join(SEPARATOR)
  const [reader] = readersOf([column], isEscaped, growingRoom())
  if (!reader) throw new Error('no column')
  const to = Buffer.alloc(reader.bytes.length * 2 + values.length * 8)
  const cells = values.map(() => to.toString('utf8', 0, textCell(reader, to, 0)))
  expect(isReadToItsEnd(reader)).toBe(true)
  return cells
}

test('the byte writer and the text writer make the same cells', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (values) => {
      const expected = values.map(csvCell)
      expect(bytesOf(values, true)).toEqual(expected)
      if (!values.join('').includes(SEPARATOR)) expect(bytesOf(values, false)).toEqual(expected)
    }),
    runs(3000),
  )
})

test('both writers agree on every first character of a cell', () => {
  const values = Array.from({ length: 0x1_0000 }, (_, code) => `${String.fromCharCode(code)}=1`).filter((value) =>
    value.isWellFormed(),
  )
  expect(bytesOf(values, true)).toEqual(values.map(csvCell))
})
