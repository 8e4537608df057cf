import { expect, test } from 'vitest'
import { listGone } from '#domain/license-use/logs/gone-checkouts.ts'

const open = (user: string, outAt: string, feature = 'solver') => ({ feature, user, host: 'pc', outAt })
const line = (user: string, startedAt: string | null, more: { isUncertain?: boolean; seats?: number } = {}) => ({
  feature: 'solver',
  user,
  host: 'PC',
  seats: 1,
  startedAt,
  isUncertain: false,
  ...more,
})
const listed = (inUse: number, reserved = 0) => [{ name: 'solver', inUse, reserved }]

const nine = open('ann', '2026-03-09 09:00:10')
const ten = open('ann', '2026-03-09 10:00:20')
const bob = open('bob', '2026-03-09 09:30:00')

test.each<[what: string, gone: unknown[], ...Parameters<typeof listGone>]>([
  ['a checkout that lmstat shows is still out', [], [nine], [line('Ann', '2026-03-09 09:00')], listed(1)],
  ['a checkout that lmstat does not show is gone', [bob], [nine, bob], [line('ann', '2026-03-09 09:00')], listed(1)],
  ['of two, the one with another start is gone', [ten], [nine, ten], [line('ann', '2026-03-09 09:00')], listed(1)],
  ['of two without a start, the older one is gone', [nine], [nine, ten], [line('ann', null)], listed(1)],
  ['everything is gone if no seat is in use', [nine, bob], [nine, bob], [], listed(0)],
  ['seats that are reserved need no line', [nine], [nine], [], listed(4, 4)],
  [
    'nothing is known of a feature that is not listed',
    [],
    [open('ann', '2026-03-09 09:00:10', 'other')],
    [],
    listed(0),
  ],
  ['nothing is known if lines are missing', [], [nine], [], listed(2)],
  [
    'nothing is known if a line is uncertain',
    [],
    [nine],
    [line('bob', '2026-03-09 09:00', { isUncertain: true })],
    listed(1),
  ],
])('an lmstat output means that %s', (_, gone, checkouts, holders, features) => {
  expect(listGone(checkouts, holders, features)).toEqual(gone)
})

test('many lines of one user are compared with as many checkouts in linear time', () => {
  const minute = (n: number) => new Date(n * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  const many = Array.from({ length: 45_000 }, (_, n) => n)
  const checkouts = many.map((n) => open('ann', `${minute(n)}:10`))
  const holders = many.map((n) => line('ann', minute(n + 1)))
  expect(listGone(checkouts, holders, listed(many.length))).toEqual([])
}, 15_000)
