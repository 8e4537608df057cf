import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOfDay } from '#domain/calendar/calendar-day.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import { seededRandom } from '#server/demo/random.ts'
import { loadUseByUser, loadWebUse } from '#server/modules/web-licenses/web-use.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addCheckouts, addWebAccount, userOf } from '#server/testing/web-licenses.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

type Use = { id?: string; kind?: WebLicenseKind; user: string; from: string; to: string }
const RANGE = { from: '2026-06-10', to: '2026-06-12' }
const shared = (user: string, from: string, to: string): Use => ({
  user,
  from: `2026-06-${from}:00Z`,
  to: `2026-06-${to}:00Z`,
})
const named = (user: string, from: string, to: string, id = 'S'): Use => ({
  ...shared(user, from, to),
  id,
  kind: 'SUBSCRIPTION',
})

let accounts = 0
/** A new account with these checkouts. */
async function accountWith(uses: readonly Use[]): Promise<string> {
  const customerNumber = `P${++accounts}`
  await addWebAccount(portal.db, customerNumber, [{ id: 'S' }, { id: 'T' }])
  if (uses.length > 0)
    await addCheckouts(
      portal.db,
      customerNumber,
      uses.map((use) => ({ id: 'S', ...use })),
    )
  return customerNumber
}

async function useOf(uses: readonly Use[], timeZone = 'UTC', range = RANGE) {
  const customerNumber = await accountWith(uses)
  const scope = { range, timeZone, now: portal.clock.now() }
  const { used } = await loadWebUse(portal.db, customerNumber, scope)
  return { used: used[0], users: await loadUseByUser(portal.db, customerNumber, scope) }
}
const peaksOf = async (...args: Parameters<typeof useOf>) => (await useOf(...args)).used?.peaks

describe('peaks of days', () => {
  test.each<[string, Use[], number[] | undefined]>([
    ['is nothing without use', [], undefined],
    ['counts what overlaps', [shared('ann', '10T08:00', '10T10:00'), shared('bob', '10T09:00', '10T11:00')], [2, 0, 0]],
    [
      'counts one after the other once',
      [shared('ann', '10T08:00', '10T09:00'), shared('bob', '10T09:00', '10T10:00')],
      [1, 0, 0],
    ],
    ['counts a use over midnight on both days', [shared('ann', '10T23:00', '11T01:00')], [1, 1, 0]],
    [
      'leaves out what ends at the midnight before',
      ['ann', 'bob', 'cid'].map((user) => shared(user, '10T23:00', '11T00:00')),
      [3, 0, 0],
    ],
    ['counts what began before and ends after the range', [shared('ann', '01T00:00', '20T00:00')], [1, 1, 1]],
    ['counts a use that took no time', [shared('ann', '11T08:00', '11T08:00')], [0, 1, 0]],
    [
      'counts every shared checkout of one user',
      [shared('ann', '10T08:00', '10T09:00'), shared('ann', '10T08:00', '10T09:00')],
      [2, 0, 0],
    ],
    [
      'counts a named user once, however many checkouts run',
      [
        named('ann', '10T08:00', '10T12:00'),
        named('ann', '10T09:00', '10T10:00'),
        named('bob', '10T11:00', '10T13:00'),
      ],
      [2, 0, 0],
    ],
    [
      'counts a named user on each entitlement',
      [named('ann', '10T08:00', '10T12:00'), named('ann', '10T09:00', '10T10:00', 'T')],
      [2, 0, 0],
    ],
  ])('the peak of a day %s', async (_case, uses, expected) => {
    expect(await peaksOf(uses)).toEqual(expected)
  })

  test('the peak of a day is that of a day of the account, not of UTC', async () => {
    const late = [shared('ann', '10T23:00', '10T23:30')]
    expect(await peaksOf(late, 'Asia/Tokyo')).toEqual([0, 1, 0])
    expect(await peaksOf(late, 'America/Los_Angeles')).toEqual([1, 0, 0])
  })

  test('a day that the time zone skipped has a peak', async () => {
    const range = { from: '2011-12-29', to: '2011-12-31' }
    const long = [{ user: 'ann', from: '2011-12-01T00:00:00Z', to: '2012-01-31T00:00:00Z' }]
    expect(await peaksOf(long, 'Pacific/Apia', range)).toEqual([1, 1, 1])
  })

  test('the peak agrees with counting at every start', async () => {
    const random = seededRandom('peaks')
    for (const timeZone of ['UTC', 'Asia/Tokyo', 'America/St_Johns']) {
      const first = startOfDay(timeZone, RANGE.from).getTime()
      const minute = (at: number) => new Date(first + at * 60_000).toISOString()
      const uses = Array.from({ length: 60 }, (): Use => {
        const from = random.integer(-2000, 6000)
        const kind = random.pick(['SUBSCRIPTION', 'CONCURRENT'] as const)
        const user = random.pick(['ann', 'bob', 'cid', 'dan'])
        return { user, kind, from: minute(from), to: minute(from + random.integer(1, 3000)) }
      })
      const inUseAt = (instant: number) =>
        new Set(
          uses.flatMap(({ user, kind, from, to }, index) =>
            Date.parse(from) <= instant && instant < Date.parse(to) ? [kind === 'SUBSCRIPTION' ? user : index] : [],
          ),
        ).size
      const expected = ['2026-06-10', '2026-06-11', '2026-06-12'].map((day) => {
        const start = startOfDay(timeZone, day).getTime()
        const starts = uses
          .map(({ from }) => Date.parse(from))
          .filter((at) => at > start && at < start + 24 * 3_600_000)
        return Math.max(...[start, ...starts].map(inUseAt))
      })
      expect(await peaksOf(uses, timeZone)).toEqual(expected)
    }
  })
})

test('shared seats have a peak of their own, and named users are counted', async () => {
  const { used } = await useOf([
    shared('ann', '10T08:00', '10T10:00'),
    shared('bob', '10T09:00', '10T10:00'),
    named('cid', '10T09:00', '10T10:00'),
    named('dan', '12T09:00', '12T10:00'),
  ])
  expect(used).toMatchObject({ peaks: [3, 0, 1], sharedPeak: 2, users: 4, namedUsers: 2, checkouts: 4 })
})

test('hours are those within the range, of each checkout with two decimals and at least 0.01', async () => {
  const short = (user: string, seconds: number): Use => ({
    user,
    from: '2026-06-10T08:00:00Z',
    to: new Date(Date.parse('2026-06-10T08:00:00Z') + seconds * 1000).toISOString(),
  })
  const { used, users } = await useOf([
    // 0.0277… hours twice, and less than a hundredth.
    short('ann', 100),
    short('ann', 100),
    short('bob', 2),
    shared('cid', '12T12:00', '20T12:00'),
  ])
  expect(used?.hours).toBe(12.07)
  expect(users.map(({ user, checkouts, hours }) => [user, checkouts, hours]).sort()).toEqual([
    [userOf('ann'), 2, 0.06],
    [userOf('bob'), 1, 0.01],
    [userOf('cid'), 1, 12],
  ])
})
