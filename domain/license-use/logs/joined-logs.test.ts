import { expect, test } from 'vitest'
import { joinLogs } from '#domain/license-use/logs/joined-logs.ts'

const out = (log: number, outAt: string, seats = 1, key = 'f ann') => ({ log, outAt, seats, key, daemon: 'sim' })
const back = (log: number, inAt: string, seats = 1, key = 'f ann') => ({ log, inAt, seats, key, daemon: 'sim' })
const ending = (log: number, at: string, daemon = '') => ({ log, at, daemon, event: 'lmgrd-start' })
const brief = (...parts: Parameters<typeof joinLogs>) =>
  joinLogs(...parts).map(({ open, returned, ending }) => [open.outAt, returned?.inAt ?? ending?.at ?? null])

test.each([
  ['a return in the next log', [out(1, '01')], [back(2, '05')], [], [['01', '05']]],
  ['a return of another user', [out(1, '01')], [back(2, '05', 1, 'f bob')], [], [['01', null]]],
  ['a return before the checkout', [out(1, '06')], [back(2, '05')], [], [['06', null]]],
  ['a return in the same log', [out(1, '01')], [back(1, '05')], [], [['01', null]]],
  [
    'the same count first',
    [out(1, '01', 2), out(1, '02', 3)],
    [back(2, '05', 3)],
    [],
    [
      ['01', null],
      ['02', '05'],
    ],
  ],
  [
    'one of three logs',
    [out(1, '01'), out(2, '06')],
    [back(3, '09'), back(2, '05')],
    [],
    [
      ['01', '05'],
      ['06', '09'],
    ],
  ],
  ['a start in the next log', [out(1, '01')], [], [ending(2, '03')], [['01', '03']]],
  ['a start of another daemon', [out(1, '01')], [], [ending(2, '03', 'other')], [['01', null]]],
  ['a return after a start', [out(1, '01')], [back(3, '05')], [ending(2, '03')], [['01', '03']]],
])('joins checkouts with %s', (_, open, returns, endings, expected) => {
  expect(brief(open, returns, endings)).toEqual(expected)
  expect(brief([...open], [...returns].reverse(), [...endings].reverse())).toEqual(expected)
})

test('joins tens of thousands of checkouts, returns and ends of one key in linear time', () => {
  const many = <T>(make: (at: string) => T) =>
    Array.from({ length: 45_000 }, (_, index) => make(String(100_000 + index)))
  const open = many((outAt) => ({ key: 'f', daemon: 'sim', log: 1, outAt, seats: 1 }))
  const returns = many((at) => ({ key: 'f', daemon: 'sim', log: 2, inAt: `2${at}`, seats: 2 }))
  const endings = many((at) => ({ at: `3${at}`, event: 'daemon-exit', daemon: 'sim', log: 1 }))
  expect(joinLogs(open, returns, endings).every(({ returned }, index) => returned === returns[index])).toBe(true)
}, 15_000)
