import { expect, test } from 'vitest'
import type { LogEvent } from '#domain/license-use/logs/log-events.ts'
import { createLogReader } from '#domain/license-use/logs/log-reader.ts'
import { readUsageText } from '#domain/license-use/read-usage-text.ts'

const read = (lines: readonly string[]) => {
  const result = readUsageText(new TextEncoder().encode(`${lines.join('\n')}\n`))
  if (result.kind !== 'log') throw new Error(`Read as ${result.kind}`)
  return result
}
const START = '10:00:00 (lmgrd) TIMESTAMP 3/9/2026'
const brief = (lines: readonly string[]) =>
  read(lines).checkouts.map(({ user, count, out, in: returned, closedBy }) => [user, count, out, returned, closedBy])
const at = (clock: string, day = '2026-03-09') => `${day}T${clock}`

test.each([
  [
    'an IN ends the oldest checkout with the same count',
    [
      '10:00:01 (sim) OUT: "f" ann@pc  ',
      '10:00:02 (sim) OUT: "f" ann@pc  (3 licenses)',
      '10:00:03 (sim) OUT: "f" ann@pc  (3 licenses)',
      '10:00:04 (sim) IN: "f" ann@pc  (3 licenses)',
    ],
    [
      ['ann', 1, at('10:00:01'), null, null],
      ['ann', 3, at('10:00:02'), at('10:00:04'), 'in'],
      ['ann', 3, at('10:00:03'), null, null],
    ],
  ],
  [
    'an IN with another count ends the oldest checkout',
    ['10:00:01 (sim) OUT: "f" ann@pc  (2 licenses)', '10:00:04 (sim) IN: "f" ann@pc  '],
    [['ann', 2, at('10:00:01'), at('10:00:04'), 'in']],
  ],
  [
    'an IN without an OUT was taken before the log',
    ['10:00:04 (sim) IN: "f" ann@pc  (INACTIVE)'],
    [['ann', 1, null, at('10:00:04'), 'inactive']],
  ],
  [
    'a restarted daemon ends its own checkouts only',
    [
      '10:00:01 (sim) OUT: "f" ann@pc  ',
      '10:00:02 (other) OUT: "g" bob@pc  ',
      '10:00:09 (lmgrd) REStarted sim (pid 7)',
    ],
    [
      ['ann', 1, at('10:00:01'), at('10:00:09'), 'daemon-restart'],
      ['bob', 1, at('10:00:02'), null, null],
    ],
  ],
  [
    'a shutdown writes one line per seat and ends each checkout once',
    [
      '10:00:01 (sim) OUT: "f" ann@pc  ',
      '10:00:02 (sim) OUT: "f" ann@pc  ',
      '10:09:00 (sim) IN: "f" ann@pc  (SHUTDOWN)',
      '10:09:00 (sim) IN: "f" ann@pc  (SHUTDOWN)',
    ],
    [
      ['ann', 1, at('10:00:01'), at('10:09:00'), 'shutdown'],
      ['ann', 1, at('10:00:02'), at('10:09:00'), 'shutdown'],
    ],
  ],
  [
    'a lost quorum ends everything',
    ['10:00:01 (sim) OUT: "f" ann@pc  ', '10:05:00 (lmgrd) Lost quorum of servers'],
    [['ann', 1, at('10:00:01'), at('10:05:00'), 'quorum-lost']],
  ],
  [
    'a step back of more than twelve hours is midnight',
    ['23:59:58 (sim) OUT: "f" ann@pc  ', ' 0:00:03 (sim) IN: "f" ann@pc  '],
    [['ann', 1, at('23:59:58'), at('00:00:03', '2026-03-10'), 'in']],
  ],
  [
    'a line that a slower daemon writes after midnight belongs to the evening before',
    [
      '23:59:50 (sim) OUT: "f" ann@pc  ',
      ' 0:00:01 (other) OUT: "g" bob@pc  ',
      '23:59:59 (sim) IN: "f" ann@pc  ',
      ' 0:00:04 (other) IN: "g" bob@pc  ',
    ],
    [
      ['ann', 1, at('23:59:50'), at('23:59:59'), 'in'],
      ['bob', 1, at('00:00:01', '2026-03-10'), at('00:00:04', '2026-03-10'), 'in'],
    ],
  ],
])('the reader finds that %s', (_, lines, expected) => {
  expect(brief([START, ...lines])).toEqual(expected)
})

test('lines before the first date take its day, counted back over midnight', () => {
  const lines = [
    '23:00:00 (sim) OUT: "f" ann@pc  ',
    ' 1:00:00 (sim) IN: "f" ann@pc  ',
    ' 2:00:00 (lmgrd) TIMESTAMP 3/10/2026',
  ]
  expect(brief(lines)).toEqual([['ann', 1, at('23:00:00'), at('01:00:00', '2026-03-10'), 'in']])
})

test('a log without a date has times without a day', () => {
  const { checkouts, problems } = read(['23:00:00 (sim) OUT: "f" ann@pc  '])
  expect(checkouts[0]?.out).toBe('T23:00:00')
  expect(problems).toEqual([{ line: 1, code: 'no-date' }])
})

test('a start without a shutdown ends everything between the last line and the banner', () => {
  const { checkouts } = read([
    START,
    '10:00:01 (sim) OUT: "f" ann@pc  ',
    '10:30:00 (sim) OUT: "g" ann@pc  ',
    '11:00:00 (lmgrd) -----------------------------------------------',
    '11:00:00 (lmgrd)   Please Note:',
    "11:00:01 (lmgrd) Server's System Date and Time: Mon Mar 09 2026 11:00:01 CET",
    '11:00:02 (lmgrd) FlexNet Licensing (v11.19.6.0 build 1 x64_lsb) started on lic1 (linux) (3/9/2026)',
  ])
  expect(checkouts[0]).toMatchObject({ in: at('10:30:00'), inLatest: at('11:00:02'), closedBy: 'lmgrd-start' })
})

test('a clock that is set back stays on its day and is reported', () => {
  const result = read([START, '10:30:00 (sim) OUT: "f" ann@pc  ', ' 9:45:00 (sim) OUT: "g" ann@pc  '])
  expect(result.checkouts[1]?.out).toBe(at('09:45:00'))
  expect(result.problems).toEqual([{ line: 3, code: 'clock-back' }])
})

test('a run that is repeated where two rotated files join is read once', () => {
  const run = [
    '10:30:00 (sim) OUT: "f" ann@pc  ',
    '10:31:00 (sim) OUT: "g" bob@pc  ',
    '10:32:00 (sim) IN: "f" ann@pc  ',
  ]
  const result = read([START, ...run, ...run, '10:33:00 (sim) IN: "g" bob@pc  '])
  expect(result.summary).toMatchObject({ checkouts: 2, stillOpen: 0, inWithoutOut: 0 })
  expect(result.problems).toEqual([{ line: 5, code: 'repeated-lines' }])
})

test('a log that writes the day first is read so where the month would be impossible', () => {
  const lines = [
    '10:00:00 (lmgrd) TIMESTAMP 5/6/2025',
    '10:00:01 (sim) OUT: "f" ann@pc  ',
    '16:00:00 (lmgrd) TIMESTAMP 25/6/2025',
  ]
  const { checkouts, problems } = read(lines)
  expect(checkouts[0]?.out).toBe('2025-06-05T10:00:01')
  expect(problems).toEqual([{ line: 3, code: 'day-first' }])
})

test('a reader that does not know the end of a log reports the line from which on it reads the day first', () => {
  const events: LogEvent[] = []
  const reader = createLogReader((event) => events.push(event))
  for (const text of ['10:00:00 (lmgrd) TIMESTAMP 5/6/2025', '16:00:00 (lmgrd) TIMESTAMP 25/6/2025'])
    reader.read({ text, isComplete: true, hasNulBytes: false, isTooLong: false })
  expect(events).toEqual([{ kind: 'problem', line: 2, code: 'day-first' }])
})

test('a last line that is cut off and an event that cannot be read are reported with their line', () => {
  const text = `${START}\n10:00:01 (sim) OUT: \n10:00:02 (sim) OUT: "f" ann@p`
  const result = readUsageText(new TextEncoder().encode(text))
  expect(result).toMatchObject({
    checkouts: [],
    problems: [
      { line: 2, code: 'unreadable-event' },
      { line: 3, code: 'truncated' },
    ],
  })
})

const denied = (clock: string, feature: string, reason: string, user = 'ann') =>
  `${clock} (sim) DENIED: "${feature}" ${user}@pc  (2 licenses) "v2026.1"(${reason})`

test.each([
  ['Licensed number of users already reached. (-4,342)', 'shortage', -4],
  ['Users are queued for this feature. (-24,332:10054 "")', 'shortage', -24],
  ['No such feature exists. (-5,346)', 'not-entitled', -5],
  ['License server system does not support this version of this feature. (-25,334:10054 "")', 'version', -25],
  ['User/host on EXCLUDE list for feature. (-38,349)', 'options-file', -38],
  ['Feature has expired. (-10,333)', 'expired', -10],
  ['License server machine is down or not responding. (-96,7)', 'server', -96],
  ['Clock difference too large between client and license server system. (-34,347)', 'other', -34],
] as const)('%s is a denial by %s', (reason, cause, code) => {
  const [denial] = read([START, denied('10:00:01', 'f', reason)]).denials
  expect(denial).toMatchObject({ cause, code, count: 2, version: '2026.1', text: reason.replace(/ \(.*/, '') })
})

const FULL = 'Licensed number of users already reached. (-4,342)'
test.each([
  ['two within a minute are one shortage', [denied('10:00:01', 'f', FULL), denied('10:01:01', 'f', FULL)], 1],
  ['two more than a minute apart are two', [denied('10:00:01', 'f', FULL), denied('10:01:02', 'f', FULL)], 2],
  ['those of two users are two', [denied('10:00:01', 'f', FULL), denied('10:00:02', 'f', FULL, 'bob')], 2],
  ['one with a seat within a minute is none', [denied('10:00:01', 'f', FULL), '10:01:00 (sim) OUT: "f" ann@pc  '], 0],
  ['one with a seat after a minute is one', [denied('10:00:01', 'f', FULL), '10:01:02 (sim) OUT: "f" ann@pc  '], 1],
  ['one with a seat of another feature is one', [denied('10:00:01', 'f', FULL), '10:00:02 (sim) OUT: "g" ann@pc  '], 1],
  [
    'one with tokens that name the feature is none',
    [denied('10:00:01', 'f', FULL), '10:00:02 (sim) OUT: "token" ann@pc [token:f] (5 licenses)'],
    0,
  ],
  [
    'those of the same second share the fate of the one that got a seat',
    [denied('10:00:01', 'package', FULL), denied('10:00:01', 'f', FULL), '10:00:01 (sim) OUT: "f" ann@pc  '],
    0,
  ],
] as const)('of shortages, %s', (_, lines, expected) => {
  expect(read([START, ...lines]).summary.realShortages).toBe(expected)
})
