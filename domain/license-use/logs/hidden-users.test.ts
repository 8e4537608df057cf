import { expect, test } from 'vitest'
import { hideUsers, hideUsersOfRest } from '#domain/license-use/logs/hidden-users.ts'
import { createLogReader, listWaiting, renameUsers } from '#domain/license-use/logs/log-reader.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'

const rename = (user: string) => (user === '' ? '' : 'user-1')
const line = (message: string, daemon = 'sim') => `10:00:01 (${daemon}) ${message}`

test.each([
  ['a checkout', 'OUT: "ann" ann@pc  [data] (5 licenses)', 'OUT: "ann" user-1@pc  [data] (5 licenses)'],
  ['a name with blanks and an @', 'IN: "f" ann b@corp@pc  (SHUTDOWN)', 'IN: "f" user-1@pc  (SHUTDOWN)'],
  ['a feature without quotes', 'OUT: solver ann@pc', 'OUT: solver user-1@pc'],
  ['a denial without a host', 'DENIED: 3 f to ann', 'DENIED: 3 f to user-1'],
  [
    'a refused signature',
    'UNSUPPORTED: "f" (PORT_AT_HOST) ann@pc  (No such feature exists. (-5,346))',
    'UNSUPPORTED: "f" (PORT_AT_HOST) user-1@pc  (No such feature exists. (-5,346))',
  ],
  ['a verbose line', 'OUT: "f" ann@pc ^^^ v1 ann 10.0.0.1 77 ^^^', 'OUT: "f" user-1@pc ^^^ v1 user-1 ^^^'],
  ['a name in the verbose part only', 'OUT: "f" @pc ^^^ v1 ann b 10.0.0.1 77 ^^^', 'OUT: "f" @pc ^^^ v1 user-1 ^^^'],
  ['an event that cannot be read', 'OUT: ann', 'OUT: '],
  ['what an options file says', 'MAX 5 f USER ann', ''],
])('hides the user of %s', (_, message, hidden) => {
  expect(hideUsers(line(message), rename)).toBe(line(hidden))
  expect(hideUsers(line(hidden), rename)).toBe(line(hidden))
})

test('keeps dates and starts, but not who asked for a shutdown', () => {
  for (const message of ['TIMESTAMP 3/9/2026', 'FlexNet Licensing started on lic1 (linux) (3/9/2026)', 'sim exited'])
    expect(hideUsers(line(message, 'lmgrd'), rename)).toBe(line(message, 'lmgrd'))
  expect(hideUsers(line('SHUTDOWN request from ann@pc', 'lmgrd'), rename)).toBe(line('SHUTDOWN request from ', 'lmgrd'))
  expect(hideUsers('ann was here', rename)).toBe('-')
})

test.each([
  ['10:00:0', '10:00:0'],
  ['10:00:01 (sim) OUT: ', '10:00:01 (sim) OUT: '],
  ['10:00:01 (sim) OUT: "f" an', '10:00:01 (sim) OUT: \n'],
  ['10:00:01 (sim) DENIED: 3 f to an', '10:00:01 (sim) DENIED: \n'],
])('ends the unfinished line "%s" before a name', (rest, hidden) => {
  expect(hideUsersOfRest(rest)).toBe(hidden)
})

/** The state after lines of which some wait: for a date, for their continuation, or to be recognized as a repetition. */
function stateAfter(lines: readonly string[], hides: boolean) {
  const reader = createLogReader(() => {}, {}, hides ? { rename } : {})
  for (const text of createLineSplitter().push(new TextEncoder().encode(`${lines.join('\n')}\n`))) reader.read(text)
  reader.pause()
  return reader.state()
}
const undated = [line('OUT: "f" ann@pc'), '10:00:02 (sim) OUT: solver ann@pc']
const dated = [
  '9:00:00 (lmgrd) TIMESTAMP 3/9/2026',
  ...undated,
  '10:00:03 (sim) MAX 5 f USER ann',
  line('OUT: "f" ann@pc'),
]

test.each([
  ['without a date', undated],
  ['with a date', dated],
])('the state of a log %s names nobody, whether users are hidden while or after it is read', (_, lines) => {
  expect(JSON.stringify(stateAfter(lines, false))).toMatch(/\bann\b/)
  const hidden = stateAfter(lines, true)
  expect(JSON.stringify(hidden)).not.toMatch(/\bann\b/)
  expect(renameUsers(stateAfter(lines, false), rename)).toEqual(hidden)
})

test('lines that wait are listed with the reason', () => {
  expect(listWaiting(stateAfter(undated, false), true)).toEqual([
    { line: 1, code: 'no-date' },
    { line: 2, code: 'end-of-log' },
    { line: 3, code: 'end-of-log' },
  ])
  expect(listWaiting(stateAfter(dated, false), false)).toEqual([{ line: 5, code: 'end-of-log' }])
})
