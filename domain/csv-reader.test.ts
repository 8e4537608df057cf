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
  ['an open quote', '"a,b', [['a,b']]],
  ['an empty line', 'a\n\nb', [['a'], [''], ['b']]],
  ['nothing', '', []],
])('reads %s', (_name, text, cells) => {
  expect(readCsv(text).map((line) => line.cells)).toEqual(cells)
})

test('counts lines as editors do', () => {
  expect(readCsv('a\r\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 2, 4])
})

test('reads what the portal writes', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9ä ",;\n]{1,8}$/).filter((one) => /^[A-Za-z0-9]/.test(one))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const file = CSV_START + csvLine(['first', 'second']) + rows.map(csvLine).join('')
      expect(readCsv(file).map(({ cells }) => cells)).toEqual([['first', 'second'], ...rows])
    }),
  )
})
