import { expect, test } from 'vitest'
import { splitHolder } from '#domain/license-use/lmstat/lmstat-user.ts'
import { readUsageText } from '#domain/license-use/read-usage-text.ts'

const read = (text: string) => readUsageText(new TextEncoder().encode(text))
const lmstat = (...lines: string[]) => {
  const head = [
    'Flexible License Manager status on Mon 3/9/2026 14:05',
    'License server status: 27000@lic1',
    'lic1: license server UP (MASTER) v11.19.6',
    'Vendor daemon status (on lic1):',
    '  sim: UP v11.19.6',
    'Feature usage info:',
  ]
  const result = read([...head, ...lines, ''].join('\n'))
  if (result.kind !== 'lmstat') throw new Error(`Read as ${result.kind}`)
  return result
}
const USERS = 'Users of solver:  (Total of 10 licenses issued;  Total of 6 licenses in use)'

test('reads totals, pools, reservations, holders and waiting users of a feature', () => {
  const { blocks, problems } = lmstat(
    USERS,
    '  "solver" v26.1, vendor: sim, expiry: 31-dec-2026',
    '  floating license',
    '\t2 RESERVATIONs for GROUP night (lic1/27000)',
    '    ann pc1 :0 (v26.1) (lic1/27000 101), start Mon 3/9 9:30, 4 licenses (linger: 900 / 3600), PID: 77',
    '    bob pc2 :0 (v26.1) (lic1/27000 102) queued for 3 licenses',
  )
  expect(problems).toEqual([])
  expect(blocks[0]?.features).toMatchObject([
    {
      name: 'solver',
      state: 'counted',
      total: 10,
      inUse: 6,
      reserved: [{ count: 2, type: 'GROUP', name: 'night', pool: 0 }],
      pools: [{ version: '26.1', vendor: 'sim', expires: '2026-12-31', type: 'floating' }],
      users: [
        {
          user: 'ann',
          host: 'pc1',
          start: '2026-03-09T09:30',
          count: 4,
          linger: { remaining: 900, total: 3600 },
          pid: 77,
        },
      ],
      queued: [{ user: 'bob', host: 'pc2', count: 3 }],
    },
  ])
})

test.each([
  ['(Uncounted, node-locked)', { state: 'uncounted', total: null, inUse: null }],
  ['(Total of 3 licenses available)', { state: 'counted', total: 3, inUse: null }],
  ['(Error: 5 licenses, unsupported by licensed server)', { state: 'unsupported', total: 5, inUse: null }],
  [
    'Cannot get users of solver: No such feature exists. (-5,222)',
    { state: 'error', total: null, inUse: null, error: { text: 'No such feature exists.', code: -5 } },
  ],
])('a feature with %s is no feature with 0 seats in use', (said, expected) => {
  expect(lmstat(`Users of solver: ${said}`).blocks[0]?.features[0]).toMatchObject(expected)
})

test.each([
  ['ann pc1', { user: 'ann', host: 'pc1', display: null, data: null }],
  ['ann pc1 :0', { user: 'ann', host: 'pc1', display: ':0', data: null }],
  ['Ann Marie pc1 PC1:0.0', { user: 'Ann Marie', host: 'pc1', display: 'PC1:0.0', data: null }],
  ['ann pc1 pc1 job 7', { user: 'ann', host: 'pc1', display: 'pc1', data: 'job 7' }],
  ['ann pc1 :0 26.1', { user: 'ann', host: 'pc1', display: ':0', data: '26.1' }],
  ['ann pc1 :0 part=mesh', { user: 'ann', host: 'pc1', display: ':0', data: 'part=mesh' }],
  [
    'ann marie pc1 screen',
    { user: 'ann', host: 'marie', display: 'pc1', data: 'screen', who: 'ann marie pc1 screen', ambiguous: true },
  ],
])('divides "%s" into user, host and display', (who, expected) => {
  expect(splitHolder(who, '26.1')).toEqual(expected)
})

test.each([
  ['Mon 3/9 9:30', '2026-03-09T09:30', []],
  ['Tue 12/30 9:30', '2025-12-30T09:30', []],
  ['Tue 3/10 9:30', '2026-03-10T09:30', ['start-in-future']],
  ['Sun 12/30 9:30', null, ['start-weekday-mismatch']],
  ['Mon 3/9 24:60', null, ['start-weekday-mismatch']],
  ['Mon 3/9 9:30:61', null, ['start-weekday-mismatch']],
])('the weekday of %s chooses the year', (start, expected, codes) => {
  const { blocks, problems } = lmstat(USERS, `    ann pc1 :0 (v26.1) (lic1/27000 101), start ${start}`)
  expect(blocks[0]?.features[0]?.users[0]?.start).toBe(expected)
  expect(problems.map(({ code }) => code)).toEqual(codes)
})

test('a server that does not answer has no features, and says so', () => {
  expect(
    read('Flexible License Manager status on Mon 3/9/2026 14:05\nError getting status: Cannot connect. (-15,10)\n'),
  ).toMatchObject({ kind: 'lmstat', error: { text: 'Cannot connect.', code: -15 }, blocks: [] })
})

test.each(['24:00', '9:60', '99:99'])('an output of %s has no time', (clock) => {
  const { statusAt } = read(`Flexible License Manager status on Mon 3/9/2026 ${clock}\n${USERS}\n`) as {
    statusAt: unknown
  }
  expect(statusAt).toBeNull()
})

test('a line about a user that cannot be read is reported with its number', () => {
  expect(lmstat(USERS, '    ann pc1 (v26.1) lic1/27000 101').problems).toEqual([{ line: 8, code: 'unreadable' }])
})

test('reads an options file and reports unknown groups and words', () => {
  const text =
    '# night\nGROUP night ann \\\n bob\nRESERVE 2 solver:VERSION=26 GROUP night\nMAX 0 solver USER ann\nEXCLUDE solver GROUP day\nNOISE 1\n'
  expect(read(text)).toEqual({
    kind: 'options',
    caseInsensitiveGroups: false,
    groups: [{ name: 'night', members: ['ann', 'bob'] }],
    hostGroups: [],
    rules: [
      {
        line: 4,
        rule: 'RESERVE',
        count: 2,
        feature: 'solver',
        selector: { VERSION: '26' },
        type: 'GROUP',
        name: 'night',
      },
      { line: 6, rule: 'EXCLUDE', count: null, feature: 'solver', selector: null, type: 'GROUP', name: 'day' },
    ],
    settings: [],
    problems: [
      { line: 5, code: 'bad-rule' },
      { line: 7, code: 'unknown-keyword' },
      { line: 6, code: 'unknown-group' },
    ],
  })
})

test.each([
  ['LM-X', 'LM-X End-user Utility v3.32\n10:00:00 (x) OUT: "f" a@b\n'],
  ['RLM', 'rlmutil v12.2\n'],
  ['anything else', 'hello\n'],
])('refuses the output of %s', (_, text) => {
  expect(read(text)).toEqual({ kind: 'unknown', refused: true })
})

test('reads Latin-1 where a line is no UTF-8, and leaves out NUL bytes', () => {
  const bytes = Buffer.from(
    '\u00ef\u00bb\u00bf10:00:00 (lmgrd) TIMESTAMP 3/9/2026\r\n10:00:01 (sim) OUT: "f" J\u00fcrg@\0pc\r\n',
    'latin1',
  )
  expect(readUsageText(bytes)).toMatchObject({
    checkouts: [{ user: 'Jürg', host: 'pc' }],
    problems: [
      { line: 2, code: 'nul-bytes' },
      { line: null, code: 'encoding-latin1' },
    ],
  })
})
