import { describe, expect, test } from 'vitest'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  daysToAct,
  fewOfEachKind,
  isHidden,
  MAX_OF_KIND,
  type Matter,
  type MatterGroup,
  matter,
  matterGroups,
  matterKey,
  signalOf,
  sortedMatters,
} from '#domain/home/work-list.ts'

const today = '2026-11-16'
const inDays = (days: number): CalendarDay => addDays(today, days)

describe('the order of the work list', () => {
  test('puts what stops people now first, then what comes first', () => {
    const list = sortedMatters(
      [
        matter('MAINTENANCE_ENDED'),
        matter('LEASES_END', { day: inDays(20) }),
        matter('UNITS_RUN_OUT', { day: inDays(3) }),
        matter('FILES_OUT_OF_DATE'),
        matter('ADDRESS_DENIED', { subject: '198.51.100.4' }),
      ],
      today,
    )
    expect(list.map(({ kind }) => kind)).toEqual([
      'ADDRESS_DENIED',
      'UNITS_RUN_OUT',
      'FILES_OUT_OF_DATE',
      'LEASES_END',
      'MAINTENANCE_ENDED',
    ])
  })

  test.each<[what: string, first: Matter, second: Matter]>([
    ['a user before what ends today', matter('USER_DENIED'), matter('ELASTIC_ENDS', { day: today })],
    ['what ends today before a request', matter('LEASES_END', { day: today }), matter('REQUESTS_WAIT')],
    ['used-up units before what ends today', matter('UNITS_USED_UP'), matter('ELASTIC_ENDS', { day: today })],
    ['a product before an address', matter('CHECKOUT_DENIED'), matter('ADDRESS_LOCKED')],
    ['an address before a user', matter('ADDRESS_DENIED'), matter('USER_DENIED', { count: 99 })],
    ['a user before a request', matter('CHECKOUT_UNASSIGNED'), matter('REQUESTS_WAIT')],
    [
      'units before leases in a week',
      matter('UNITS_RUN_OUT', { day: inDays(6) }),
      matter('LEASES_END', { day: inDays(2) }),
    ],
    [
      'this week before this month',
      matter('LEASES_END', { day: inDays(6) }),
      matter('ELASTIC_ENDS', { day: inDays(7) }),
    ],
    ['leases before files in a week', matter('LEASES_END', { day: inDays(6) }), matter('FILES_OUT_OF_DATE')],
    ['this month before later', matter('MAINTENANCE_ENDED'), matter('UNITS_RUN_OUT', { day: inDays(30) })],
  ])('puts %s', (_, first, second) => {
    expect(sortedMatters([second, first], today)).toEqual([first, second])
  })

  test('puts the larger of two equal matters first, and leaves out what counts nothing', () => {
    const list = sortedMatters(
      [
        matter('USER_DENIED', { subject: 'eve', count: 2 }),
        matter('USER_DENIED', { subject: 'bob', count: 9 }),
        matter('USER_DENIED', { subject: 'ada', count: 0 }),
      ],
      today,
    )
    expect(list.map(({ subject }) => subject)).toEqual(['bob', 'eve'])
  })
})

test('the work list names so many matters of a kind, and counts the others', () => {
  const users = Array.from({ length: MAX_OF_KIND + 2 }, (_, at) => matter('USER_DENIED', { subject: `user-${at}` }))
  const files = matter('FILES_OUT_OF_DATE')
  expect(fewOfEachKind([...users, files])).toEqual({
    matters: [...users.slice(0, MAX_OF_KIND), files],
    moreMatters: [{ kind: 'USER_DENIED', count: 2 }],
  })
  expect(fewOfEachKind(users.slice(0, MAX_OF_KIND)).moreMatters).toEqual([])
})

describe('matters of one cause are one group', () => {
  const on = (server: string, subject: string) => matter('USER_DENIED', { server, subject })
  const files = matter('FILES_OUT_OF_DATE')
  const seats = ['rtl_power', 'prepost'].map((subject) => matter('SEATS_DENIED', { subject }))
  const people = ['eve', 'bob'].map((user) => matter('CHECKOUT_UNASSIGNED', { subject: 'Optics', user }))
  const brief = ({ key, matters, more }: MatterGroup<Matter>) => [key, matters.length, more]

  test.each<[what: string, matters: Matter[], more: Parameters<typeof matterGroups>[1], groups: unknown[]]>([
    ['nothing waits', [], [], []],
    ['a single matter is a group of its own', [files], [], [['FILES_OUT_OF_DATE', 1, 0]]],
    ['features without a free seat', seats, [], [['SEATS_DENIED', 2, 0]]],
    ['people without a web license', people, [], [['CHECKOUT_UNASSIGNED', 2, 0]]],
    [
      'users by the license server that denied them',
      [on('cls-1', 'eve'), on('cls-2', 'bob'), on('cls-1', 'ada')],
      [],
      [
        ['USER_DENIED cls-1', 2, 0],
        ['USER_DENIED cls-2', 1, 0],
      ],
    ],
    [
      'groups are in the order of their first matters',
      [people[0] as Matter, files, people[1] as Matter],
      [],
      [
        ['CHECKOUT_UNASSIGNED', 2, 0],
        ['FILES_OUT_OF_DATE', 1, 0],
      ],
    ],
    [
      'what is not named is counted with the last group of its kind',
      [on('cls-1', 'eve'), on('cls-2', 'bob'), files],
      [{ kind: 'USER_DENIED', count: 7 }],
      [
        ['USER_DENIED cls-1', 1, 0],
        ['USER_DENIED cls-2', 1, 7],
        ['FILES_OUT_OF_DATE', 1, 0],
      ],
    ],
  ])('%s', (_, matters, more, groups) => {
    expect(matterGroups(matters, more).map(brief)).toEqual(groups)
  })
})

describe('the urgency of a matter', () => {
  test.each([
    ['units that are used up', matter('UNITS_USED_UP'), 0, 'red'],
    ['a user who is denied', matter('USER_DENIED'), 0, 'red'],
    ['a lease that ends today', matter('LEASES_END', { day: today }), 1, 'orange'],
    ['a lease that ended while the page was open', matter('LEASES_END', { day: inDays(-3) }), 0, 'red'],
    ['units that run out in 40 days', matter('UNITS_RUN_OUT', { day: inDays(39) }), 40, 'orange'],
    ['files that are out of date', matter('FILES_OUT_OF_DATE'), 7, 'none'],
    ['a request', matter('REQUESTS_WAIT'), 1, 'none'],
    ['maintenance that has ended', matter('MAINTENANCE_ENDED'), 30, 'none'],
  ] as const)('%s has the right color', (_, one, days, color) => {
    expect(daysToAct(one, today)).toBe(days)
    expect(signalOf(one, today)).toBe(color)
  })
})

describe('a matter that was hidden', () => {
  const files = matter('FILES_OUT_OF_DATE', { count: 3 })
  test.each([
    ['was never hidden', undefined, false],
    ['was put off until tomorrow', { until: inDays(1), count: 3 }, true],
    ['was put off until today', { until: today, count: 3 }, false],
    ['was put off and has grown since', { until: inDays(1), count: 1 }, true],
    ['was marked as done', { until: null, count: 3 }, true],
    ['was marked as done and has become less', { until: null, count: 4 }, true],
    ['was marked as done and has grown since', { until: null, count: 2 }, false],
  ])('is out of sight only while it should be: %s', (_, hidden, expected) => {
    expect(isHidden(files, hidden && { key: matterKey(files), on: today, ...hidden }, today)).toBe(expected)
  })

  test.each([
    ['starts that were denied', matter('USER_DENIED', { count: 2 }), 7],
    ['checkouts that were denied', matter('CHECKOUT_DENIED', { count: 2 }), 7],
    ['users whom a license server turned away', matter('SEATS_DENIED', { count: 2 }), 7],
    ['leases that end', matter('LEASES_END', { count: 2, day: inDays(29) }), 30],
    ['files that are out of date', matter('FILES_OUT_OF_DATE', { count: 2 }), 30],
  ])('as done is not taken for a new one later: %s', (_, one, days) => {
    const hiddenOn = (on: CalendarDay) => ({ key: matterKey(one), until: null, count: 9, on })
    expect(isHidden(one, hiddenOn(inDays(1 - days)), today)).toBe(true)
    expect(isHidden(one, hiddenOn(inDays(-days)), today)).toBe(false)
  })
})

test('a matter is named by what it is about', () => {
  expect(matterKey(matter('FILES_OUT_OF_DATE'))).toBe('FILES_OUT_OF_DATE')
  expect(matterKey(matter('USER_DENIED', { subject: 'eve', server: 'cls-1' }))).toBe('USER_DENIED eve cls-1')
  const optics = { subject: 'Optics', user: 'eve@a.example' }
  expect(matterKey(matter('CHECKOUT_UNASSIGNED', optics))).toBe('CHECKOUT_UNASSIGNED Optics eve@a.example')
  expect(matterKey(matter('CHECKOUT_DENIED', optics))).toBe('CHECKOUT_DENIED Optics')
})
