import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '#domain/csv.ts'
import { CsvReader, delimiterOf } from '#domain/csv-reader.ts'

/** Reads a whole text at once. */
function readCsv(text: string) {
  const reader = new CsvReader(delimiterOf(text), { isLenient: true })
  return [...reader.add(text), ...reader.end()]
}

const cellsOf = (text: string) => readCsv(text).map((record) => ('cells' in record ? record.cells : record.fault))

test.each([
  [
    'commas',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'semicolons',
    'a;b\r\nc;d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'tabs',
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'quotes',
    '"a,""x""", b \n"c\nd",',
    [
      ['a,"x"', ' b '],
      ['c\nd', ''],
    ],
  ],
  ['a quote within a cell', 'a"b,c', [['a"b', 'c']]],
  ['blanks around quotes', ' "a" ,"b"\t', [['a', 'b']]],
  ['an empty quoted cell', 'a,""', [['a', '']]],
  ['no record from an empty line', 'a\n\n""\nb', [['a'], ['b']]],
  ['nothing', '', []],
])('reads %s', (_name, text, cells) => {
  expect(cellsOf(text)).toEqual(cells)
})

test.each([
  ['at the end of the file', 'a\n"b,c\nd', 2],
  ['and a later line has quotes', 'a\n"b,c\n"d",e', 2],
  ['in the second cell', 'a\nb,"c\nd,"e"', 2],
  ['after a cell of two lines', '"a\nb",c\n"d', 3],
  ['and the text goes on', '"a"b', 1],
])('names the line of a quote that is not closed %s', (_name, text, line) => {
  expect(readCsv(text).find((record) => 'fault' in record)?.line).toBe(line)
})

test('counts lines as editors do', () => {
  expect(readCsv('a\r\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 2, 4])
})

test('reads what the portal writes', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9ä ",;\n]{1,8}$/).filter((one) => /^[A-Za-z0-9]/.test(one))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const file = csvLine(['first', 'second']) + rows.map(csvLine).join('')
      expect(cellsOf(file)).toEqual([['first', 'second'], ...rows])
    }),
  )
})
