import { expect, it, test } from 'vitest'
import { csvCell, csvLine, unguardText } from '#domain/csv.ts'

it.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', '"a=b"'],
  ['Jürgen 山田', '"Jürgen 山田"'],
  [12.5, '12.5'],
  [-1, '-1'],
  [true, 'true'],
  [new Date('2026-11-14T22:12:39.500Z'), '2026-11-14 22:12:39'],
  [null, ''],
  [undefined, ''],
])('writes %j as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})

it.each([
  '=SUM(A1:A9)',
  '=HYPERLINK(A1)',
  '+49 Halle',
  '-draft-',
  '@home',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  ' =1',
  '   +1',
  '\u00a0-1',
  '\u3000@x',
  '\u2003=1',
  '\u2028=1',
  '\ufeff=1',
  '\ufeff \t＝1',
  '\u200b=1',
  '\u00ad=1',
  '\u0001=1',
  '\u007f=1',
  '\u0085+1',
  '\u001f=1',
  '\u001e@1',
  ' \n \r＋1',
  '\tplain',
  '\rplain',
  '\nplain',
])('never lets %j be a formula', (text) => {
  expect(csvCell(text)).toBe(`"'${text}"`)
})

it.each([
  ' plain',
  '  two blanks',
  '\ufeffplain',
  '\u0001plain',
  ' ',
  '',
  'a =1',
  '5 - 3',
  '.=1',
  "'=1",
  '\u00a0',
  '€=1',
])('leaves %j as it is', (text) => {
  expect(csvCell(text)).toBe(`"${text}"`)
})

test('an amount has two decimals and is never taken for a formula', () => {
  expect([{ amount: 12.5 }, { amount: -3 }].map(csvCell)).toEqual(['12.50', '-3.00'])
})

test('lines end with CRLF', () => {
  expect(csvLine(['a', 1, null])).toBe('"a",1,\r\n')
})

it.each([
  ['plain', '"plain"'],
  ['=1+1', `"'=1+1"`],
  ["'=1+1", `"''=1+1"`],
  ["'t Hooft", `"'t Hooft"`],
  ['-12.50', '-12.50'],
  ["'-12.50", `"''-12.50"`],
  ['-draft-', `"'-draft-"`],
])('writes %j into files that are imported as %s, and reads it back', (text, cell) => {
  expect(csvCell({ exact: text })).toBe(cell)
  expect(unguardText(cell.replace(/^"(.*)"$/, '$1'))).toBe(text)
})
