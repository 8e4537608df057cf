import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parseAccountSearch } from '#domain/accounts/account-search.ts'
import { hostNameError } from '#domain/activations/hosts/host-name.ts'
import { hostError } from '#domain/activations/hosts/host-validity.ts'
import { changedLines, nearestText } from '#domain/activations/license-files/license-difference.ts'
import { licenseFileExcess } from '#domain/activations/license-files/license-limits.ts'
import { licenseLines } from '#domain/activations/license-files/license-lines.ts'
import { readLicenseFile } from '#domain/activations/license-files/license-reader.ts'
import { verifyLicenseText } from '#domain/activations/license-files/license-verification.ts'
import { expandPartialTime } from '#domain/calendar/partial-time.ts'
import type { CsvRecord } from '#domain/csv-reader.ts'
import { parseNetwork, readIpRules } from '#domain/elastic/credentials/ip-rules.ts'
import { linesOf, readUsernames } from '#domain/elastic/credentials/usernames.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'
import { isSafeLink } from '#domain/messages/alert-draft.ts'
import { calendarText } from '#domain/reminders/calendar.ts'
import { addressesIn } from '#domain/settings/email-address.ts'
import { readUserFile } from '#domain/web-licenses/user-file.ts'
import { groupNameError, readName } from '#domain/web-licenses/web-user.ts'
import { checkText, LineFaults } from '#server/data/files/checked-text.ts'
import { readCsvRecords } from '#server/data/files/csv-records.ts'
import { type JsonRecord, readJsonRecords } from '#server/data/files/json-records.ts'
import { columnsOfHeader, readCell } from '#server/data/files/row-columns.ts'
import { splitStatements } from '#server/db/sql-statements.ts'
import { sanitizeBody } from '#server/modules/messages/sanitize-body.ts'

/**
 * Every parser of foreign text takes linear time for any text. Each parser gets all texts that are hostile to some
 * parser, at one length and at six times that length.
 */
type Reader = (text: string) => unknown

const bytes = (text: string) => new TextEncoder().encode(text)
const fields = {
  name: { type: 'text' },
  count: { type: 'number' },
  day: { type: 'day' },
  at: { type: 'instant' },
} as const
const criteria = (text: string) => [
  { name: 'name', method: 'CONTAINS', value: text },
  { name: 'count', method: 'EQUALS', value: text },
  { name: 'day', method: 'BEFOREDAY', value: text },
  { name: 'at', method: 'BEFORE', value: text },
  { name: text, method: text, value: text },
]

async function readAll(text: string, read: typeof readCsvRecords | typeof readJsonRecords) {
  const faults = new LineFaults()
  const chunks = Readable.from([Buffer.from(text, 'latin1')])
  const records: (CsvRecord | JsonRecord)[] = []
  for await (const some of read(checkText(chunks, faults), faults)) records.push(...some)
  return records
}

const READERS: Record<string, Reader> = {
  'the limits of a license file': licenseFileExcess,
  'lines of a license file': licenseLines,
  'a license server from a file': readLicenseFile,
  'the check of a license file': (text) => verifyLicenseText(text, () => false),
  'a license after a server': (text) =>
    verifyLicenseText(`SERVER a 0123456789ab\nINCREMENT f v 1 0 1 ${text}`, () => false),
  'a customer in a license': (text) =>
    verifyLicenseText(`INCREMENT f v 1 0 1 VENDOR_STRING="customer:${text}"`, () => false),
  'hosts of a license': (text) => verifyLicenseText(`INCREMENT f v 1 0 1 HOSTID="${text}"`, () => false),
  'changed lines of a license file': (text) => changedLines('SERVER a\nVENDOR b\n', text),
  'the nearest license file': (text) => nearestText(['SERVER a\n', 'SERVER b\n'], text),
  'a host name': hostNameError,
  'a host': (text) => hostError({ serverName: text, serverId: text, serverIdType: 'ETHERNET' }),
  'an account search': parseAccountSearch,
  'a typed time': expandPartialTime,
  'a file of users': (text) => readUserFile(bytes(text)),
  'a name': readName,
  usernames: (text) => readUsernames(linesOf(text)),
  'an IP rule': parseNetwork,
  'IP rules': (text) => readIpRules([{ name: text, address: text }]),
  'a filter': (text) =>
    criteria(text).map((criterion) => refusal(() => parseFilter(fields, { condition: 'ANY', criteria: [criterion] }))),
  'a sorting': (text) => refusal(() => parseSorting(fields, [{ name: text, direction: text }])),
  'pasted email addresses': addressesIn,
  'the address of a link': (text) => isSafeLink({ text, url: `https://${text}` }),
  'a calendar': (text) =>
    calendarText({
      name: text,
      host: 'localhost',
      now: new Date(0),
      endings: [{ activationId: 'a', product: text, quantity: 1, endsOn: '2026-01-01' } as never],
    }),
  'statements of SQL': splitStatements,
  'the body of an email': sanitizeBody,
  'an attribute in an email': (text) => sanitizeBody(`<p style="color: ${text}">x</p><img src="data:${text}">`),
  'records of a CSV file': (text) => readAll(text, readCsvRecords),
  'records of a JSON file': (text) => readAll(text, readJsonRecords),
  'the header of a file': (text) => refusal(() => columnsOfHeader(text.split(','), [])),
  'a cell of a file': (text) =>
    (['text', 'number', 'boolean', 'list', 'json'] as const).map((form) =>
      readCell({ name: 'a', isRequired: true, form }, text),
    ),
}

function refusal(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return (error as Error).message
  }
}

/** Each is repeated up to the required length. */
const UNITS = [
  ...[
    'a',
    '0',
    'é',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '"',
    "'",
    '\\',
    '\\\n',
    ',',
    ';',
    '/',
    ':',
    '.',
    '-',
    '@',
    '%',
    '=',
  ],
  ...[
    '<',
    '>',
    '<a ',
    '<b>',
    '</b>',
    '<!--',
    '&',
    '&amp;',
    '(',
    ')',
    '[',
    '{',
    '"a',
    'a"',
    '"\n',
    '""',
    'a,',
    'a@',
    'a ',
  ],
  ...[
    ' \\\n',
    '::',
    '1:',
    '1.',
    '1/',
    '\u0301',
    '\u0315\u0300',
    '\ufdfa',
    '\ud83d\ude00',
    '\xff\n',
    '\xff',
    'url(',
    'lm',
  ],
  ...[
    'INCREMENT\n',
    'INCREMENT f v 1 0 1\n',
    'SERVER a b\n',
    'SERVER ',
    'LICENSE ',
    'SIGN=',
    '{"a":',
    '[1,',
    '\\u0000',
  ],
  ...['# Signature of everything above:\n', 'HOSTID=a ', 'x@y.z,', '1-', '00:00:00 (a'],
]
/** Text around the repeated part, so that a match begins and then fails. */
const FRAMES = [
  ['', ''],
  ['x', '\n!'],
  ['INCREMENT "', '!'],
] as const

const LENGTH = 5_000
const FACTOR = 6
/** Six times the text takes six times the time; 36 times would be quadratic growth. */
const MAX_GROWTH = 18
/** In milliseconds of CPU. A reader with quadratic growth takes hundreds for the longer text. */
const UNSUSPICIOUS = 25

const textOf = (unit: string, [before, after]: (typeof FRAMES)[number], length: number) =>
  before + unit.repeat(Math.ceil(length / unit.length)) + after

async function cpuOf(read: Reader, text: string): Promise<number> {
  const start = process.cpuUsage()
  await read(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** How many times as long the longer text takes. */
async function growthOf(read: Reader, text: (length: number) => string, rounds: number): Promise<number> {
  const [short, long]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    long.push(await cpuOf(read, text(LENGTH * FACTOR)))
    if (Math.min(...long) < UNSUSPICIOUS) return 1
    short.push(await cpuOf(read, text(LENGTH)))
  }
  return Math.min(...long) / Math.max(1, Math.min(...short))
}

describe('the time to read foreign text', () => {
  test.each(Object.keys(READERS))('the time to read %s grows no faster than its text', async (name) => {
    const read = READERS[name]!
    for (const unit of UNITS)
      for (const frame of FRAMES) {
        const text = (length: number) => textOf(unit, frame, length)
        // One round is usually enough. On a busy machine, more rounds decide.
        if ((await growthOf(read, text, 1)) < MAX_GROWTH) continue
        expect(await growthOf(read, text, 4), JSON.stringify([frame[0], unit, frame[1]])).toBeLessThan(MAX_GROWTH)
      }
  })
})

describe('text that is too long', () => {
  const LONG = 'a'.repeat(1024 * 1024 + 1)
  const rules = Array.from({ length: 1001 }, () => ({ name: 'a', address: '10.0.0.1' }))
  const names = Array.from({ length: 5001 }, (_, index) => `user${index}`)
  const criterion = { name: 'name', method: 'EQUALS', value: 'a' }
  test.each<[string, () => unknown, unknown]>([
    ['a license file', () => readLicenseFile(LONG), { kind: 'too large' }],
    ['a host name', () => hostNameError(LONG), 'A host name has at most 255 characters.'],
    ['an account search', () => parseAccountSearch(LONG), { kind: 'invalid' }],
    ['a typed time', () => expandPartialTime('1'.repeat(LONG.length)), undefined],
    [
      'a file of users',
      () => readUserFile(bytes(LONG)),
      { problem: 'The file is larger than 1 MB. Import it in parts.' },
    ],
    ['the name of a group', () => groupNameError(LONG), 'A name has 100 characters at most.'],
    ['usernames', () => readUsernames(names), { error: 'At most 5,000 usernames can be allowed.' }],
    ['IP rules', () => readIpRules(rules), { error: 'At most 1,000 rules can be saved.' }],
    [
      'the text of a filter',
      () => refusal(() => parseFilter(fields, { condition: 'ANY', criteria: [{ ...criterion, value: LONG }] })),
      'filter.criteria[0]: value is longer than 1000 characters',
    ],
    [
      'a filter',
      () => refusal(() => parseFilter(fields, { condition: 'ANY', criteria: names.map(() => criterion) })),
      'filter.criteria[600]: more than 600 criteria in all',
    ],
    [
      'a sorting',
      () => refusal(() => parseSorting(fields, rules)),
      expect.stringMatching(/^sorting: more than \d+ rules$/),
    ],
    ['the header of a file', () => refusal(() => columnsOfHeader(names, [])), 'Line 1 has more than 200 columns.'],
    [
      'a line of a CSV file',
      () => readAll(`${LONG}\n`, readCsvRecords),
      [{ line: 1, fault: 'The line is longer than 1 MB.' }],
    ],
    [
      'a line of a JSON file',
      () => readAll(`${LONG}\n`, readJsonRecords),
      [{ line: 1, fault: 'The line is longer than 1 MB.' }],
    ],
  ])('%s that is too long is refused', async (_, read, refused) => {
    const answer = await read()
    if (typeof refused === 'object' && !Array.isArray(refused)) expect([answer]).toMatchObject([refused])
    else expect(answer).toEqual(refused)
  })
})
