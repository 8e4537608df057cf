import { expect, test } from 'vitest'
import { attribute, licenseLines } from '#domain/activations/license-files/license-lines.ts'

const wordsOf = (text: string) => licenseLines(text).map(({ words }) => words)

test.each([
  ['LF', 'SERVER a 1\nVENDOR b\n'],
  ['CRLF', 'SERVER a 1\r\nVENDOR b\r\n'],
  ['CR', 'SERVER a 1\rVENDOR b'],
  ['a mixture', 'SERVER a 1\r\nVENDOR b\r'],
])('%s ends a line', (_, text) => {
  expect(wordsOf(text)).toEqual([
    ['SERVER', 'a', '1'],
    ['VENDOR', 'b'],
  ])
})

test.each([
  ['spaces and a tab', 'INCREMENT f v 1 permanent 1 \\\n\tSN=1'],
  ['spaces after the backslash', 'INCREMENT f v 1 permanent 1 \\  \t\r\n    SN=1'],
  ['no space before the backslash', 'INCREMENT f v 1 permanent 1\\\nSN=1'],
  ['several lines', 'INCREMENT \\\n f v \\\n 1 permanent \\\n 1 \\\n SN=1'],
  ['a keyword that is continued at once', 'INCREMENT\\\n f v 1 permanent 1 SN=1'],
])('a backslash continues a line: %s', (_, text) => {
  expect(wordsOf(text)).toEqual([['INCREMENT', 'f', 'v', '1', 'permanent', '1', 'SN=1']])
})

test('a backslash at the end of the file continues nothing', () => {
  expect(wordsOf('VENDOR v \\')).toEqual([['VENDOR', 'v']])
})

test.each([
  '# SERVER a 1',
  '#SERVER a 1',
  'USE_SERVERS',
  'SERVERS a 1',
  'SERVER: a',
  'hello',
  '',
  '   ',
  'SERVER=1055@lic01',
])('%j is a comment', (line) => {
  expect(licenseLines(`${line}\nVENDOR v`).map(({ keyword }) => keyword)).toEqual([undefined, 'VENDOR'])
})

test('a comment is never continued', () => {
  expect(licenseLines('# C:\\licenses\\\nSERVER a 1').map(({ keyword }) => keyword)).toEqual([undefined, 'SERVER'])
})

test('keywords may be in any case and after white space', () => {
  expect(licenseLines('  server a 1\n\tUse_Server\nIncrement f').map(({ keyword }) => keyword)).toEqual([
    'SERVER',
    'USE_SERVER',
    'INCREMENT',
  ])
})

test('quoted values are one word, and # within a line is no comment', () => {
  const [line] = licenseLines(
    'FEATURE f v 1 permanent 1 NOTICE="Licensed to \\\n   Sample # corp" HOSTID=#2005771344 SIGN="AB CD"',
  )
  expect(line?.words.slice(6)).toEqual(['NOTICE="Licensed to Sample # corp"', 'HOSTID=#2005771344', 'SIGN="AB CD"'])
  expect(attribute(line?.words ?? [], 'NOTICE')).toBe('Licensed to Sample # corp')
  expect(attribute(line?.words ?? [], 'SIGN')).toBe('AB CD')
  expect(attribute(line?.words ?? [], 'SN')).toBe(undefined)
})

test('a quote that is never closed reaches to the end of its line', () => {
  expect(wordsOf('VENDOR v "a b\nSERVER a 1')).toEqual([
    ['VENDOR', 'v', '"a b'],
    ['SERVER', 'a', '1'],
  ])
})

test('lines keep their position and their original text', () => {
  expect(licenseLines('# one\nVENDOR \\\n v\nUSE_SERVER').map(({ number, written }) => [number, written])).toEqual([
    [1, ['# one']],
    [2, ['VENDOR \\', ' v']],
    [4, ['USE_SERVER']],
  ])
})
