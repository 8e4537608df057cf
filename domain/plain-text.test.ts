import { expect, test } from 'vitest'
import { type PlainTextForm, toPlainText } from '#domain/plain-text.ts'

test.each<[string, string, PlainTextForm, string]>([
  ['keeps letters of every language and emoji', 'Büro 東京 👩‍💻', 'line', 'Büro 東京 👩‍💻'],
  ['drops blanks around a line', ' \u00a0Design \n', 'line', 'Design'],
  ['makes one line of several', 'Design\r\n\tTest', 'line', 'Design Test'],
  ['drops characters that change the direction', 'invoice\u202efdp.exe\u2066', 'line', 'invoicefdp.exe'],
  ['drops other control characters', 'a\u0007b\u009cc', 'lines', 'abc'],
  ['keeps the lines of a longer text', ' First\r\nSecond\u2028\tThird ', 'lines', 'First\nSecond\n\tThird'],
  ['leaves nothing of what cannot be seen', '\u202e\u0001 ', 'line', ''],
])('a text of people %s', (_, text, form, expected) => expect(toPlainText(text, form)).toBe(expected))
