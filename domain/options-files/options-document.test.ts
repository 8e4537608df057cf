import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatOptionsStatement,
  MAX_OPTIONS_LINES,
  MAX_OPTIONS_TEXT,
  optionsTextProblem,
  readOptions,
  readOptionsRules,
  writeOptions,
} from '#domain/options-files/options-document.ts'
import { OPTIONS_SAMPLES } from '#domain/options-files/testing/options-samples.ts'

/** What a vendor daemon takes from a file, wherever it stands there. */
function meaningOf(text: string) {
  const { caseInsensitiveGroups, groups, hostGroups, rules, settings } = readOptionsRules(text)
  const bare = <T extends { line: number }>(all: readonly T[]) => all.map(({ line: _, ...rest }) => rest)
  return { caseInsensitiveGroups, groups, hostGroups, rules: bare(rules), settings: bare(settings) }
}

/** Every statement that can be read is written again, as an edit of its rule does. */
const rewritten = (text: string) =>
  readOptions(text)
    .map(({ statement, written }) =>
      statement === null || statement.kind === 'unreadable' ? written : `${formatOptionsStatement(statement)}\n`,
    )
    .join('')

function expectKept(text: string): void {
  expect(writeOptions(readOptions(text))).toBe(text)
  expect(meaningOf(rewritten(text))).toEqual(meaningOf(text))
}

test('there are 63 samples, each with a rule, a setting or a group', () => {
  expect(OPTIONS_SAMPLES).toHaveLength(63)
  for (const text of OPTIONS_SAMPLES) {
    const { rules, settings, groups, hostGroups } = meaningOf(text)
    expect(rules.length + settings.length + groups.length + hostGroups.length, text).toBeGreaterThan(0)
  }
})

test.each(OPTIONS_SAMPLES.map((text, index) => ({ text, number: index + 1 })))(
  'sample $number is read and written back without a change of meaning',
  ({ text }) => expectKept(text),
)

const blank = fc.constantFrom(' ', '  ', '\t', ' \t ', ' \\\n ', ' \\\r\n\t')
const plainWord = fc.stringMatching(/^[A-Za-z0-9_.:=*@/\\$-]{1,12}$/)
const word = fc.oneof(
  plainWord,
  plainWord.map((text) => `"${text}"`),
  fc.tuple(plainWord, plainWord).map(([one, other]) => `"${one} ${other}"`),
  fc.constantFrom('""', '"a\tb:c"', '"f asset_info=1"', 'f:VERSION=2.1', '#x', 'user\\', '"half', 'über', '保留'),
)
const keyword = fc.constantFrom(
  ...['RESERVE', 'MAX', 'INCLUDE', 'EXCLUDE', 'INCLUDEALL', 'EXCLUDEALL', 'INCLUDE_BORROW', 'GROUP', 'USER_GROUP'],
  ...['HOST_GROUP', 'TIMEOUT', 'TIMEOUTALL', 'REPORTLOG', 'NOLOG', 'LINGER', 'GROUPCASEINSENSITIVE', 'DAEMON_OWN', '#'],
)
const type = fc.constantFrom('USER', 'HOST', 'GROUP', 'USER_GROUP', 'HOST_GROUP', 'INTERNET', 'PROJECT', 'NOBODY')
const count = fc.constantFrom('0', '1', '3', '250', '0x10', 'two', '99999999999999999999999')
const piece = fc.oneof(word, word, type, count, fc.constantFrom('ON', 'OFF'))
const statement = fc
  .tuple(keyword, fc.array(fc.tuple(blank, piece), { maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\n\n', ''))
  .map(([first, pieces, end]) => first + pieces.map(([gap, text]) => gap + text).join('') + end)
const document = fc.oneof(
  { weight: 8, arbitrary: fc.array(statement, { maxLength: 25 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('\\', '\n', '"', ' ', 'GROUP ', 'g', '#', ':', '=') }) },
)

test('any file is read and written back to the letter, and its statements keep their meaning when they are written again', () => {
  fc.assert(fc.property(document, expectKept), { numRuns: 2000 })
})

describe('a text that is too large', () => {
  test.each([
    ['has too many lines', 'MAX 1 f USER a\n'.repeat(MAX_OPTIONS_LINES), 'at most 5,000 lines'],
    ['has too many characters', '#'.repeat(MAX_OPTIONS_TEXT + 1), 'at most 262,144 characters'],
  ])('%s', (_, text, reason) => {
    expect(optionsTextProblem(text)).toContain(reason)
  })
})

test('a hostile text of the largest size is read in linear time', () => {
  const texts = [
    '\\\n',
    '"',
    '" ',
    'GROUP g \\\n',
    'GROUP g a\n',
    'a:',
    ' ',
    'INCLUDE f GROUP g\n',
    'GROUPCASEINSENSITIVE ON\n',
  ]
  for (const unit of texts) {
    const text = unit.repeat(Math.floor(MAX_OPTIONS_TEXT / unit.length))
    const begun = performance.now()
    readOptions(text)
    // Ten times what a slow machine needs; a reader that goes back takes minutes.
    expect(performance.now() - begun, JSON.stringify(unit)).toBeLessThan(5000)
  }
})
