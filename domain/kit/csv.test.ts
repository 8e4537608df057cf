import { expect, test } from 'vitest'
import { csvLine } from '#domain/kit/csv.ts'

test.each([
  [['a', 'b'], '"a","b"'],
  [[1250, -3.5, true, null, undefined, ''], '1250,-3.5,true,,,""'],
  [['Structures, Fluids'], '"Structures, Fluids"'],
  [['Engineer\'s "All-in-One"'], '"Engineer\'s ""All-in-One"""'],
  [['two\nlines'], '"two\nlines"'],
  // what a spreadsheet would run
  [['=1+1'], '"\'=1+1"'],
  [['+49 30'], '"\'+49 30"'],
  [['-2'], '"\'-2"'],
  [['@SUM(A1)'], '"\'@SUM(A1)"'],
  [['\t=1'], '"\'\t=1"'],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [['a=b'], '"a=b"'],
])('%j', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`)
})
