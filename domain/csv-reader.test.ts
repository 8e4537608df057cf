import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { readCsv } from '#domain/csv-reader.ts'

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
    'a\tb\rc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a byte order mark', '\ufeffa,b', [['a', 'b']]],
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
  ['an empty quoted cell', '""', [['']]],
  ['an empty line', 'a\n\nb', [['a'], [''], ['b']]],
  ['nothing', '', []],
])('reads %s', (_name, text, cells) => {
  const read = readCsv(text)
  expect(read.openQuote).toBeUndefined()
  expect(read.lines.map((line) => line.cells)).toEqual(cells)
})

test.each([
  ['at the end of the file', 'a\n"b,c\nd', 2],
  ['and a later line has quotes', 'a\n"b,c\n"d",e', 2],
  ['in the second cell', 'a\nb,"c\nd,"e"', 2],
  ['after a cell of two lines', '"a\nb",c\n"d', 3],
  ['and the text goes on', '"a"b', 1],
])('names the line of a quote that is not closed %s', (_name, text, line) => {
  expect(readCsv(text).openQuote).toBe(line)
})

test('counts lines as editors do', () => {
  expect(readCsv('a\r\n"b\nc"\nd').lines.map(({ line }) => line)).toEqual([1, 2, 4])
})

test('reads what the portal writes', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9ä ",;\n]{1,8}$/).filter((one) => /^[A-Za-z0-9]/.test(one))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const file = CSV_START + csvLine(['first', 'second']) + rows.map(csvLine).join('')
      expect(readCsv(file).lines.map(({ cells }) => cells)).toEqual([['first', 'second'], ...rows])
    }),
  )
})
