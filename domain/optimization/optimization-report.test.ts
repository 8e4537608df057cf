import { describe, expect, test } from 'vitest'
import { adviceText } from '#domain/optimization/advice.ts'
import {
  type ElasticUse,
  type WebUse,
  weighElastic,
  weighWebLicenses,
} from '#domain/optimization/optimization-report.ts'

const rangeDays = { days: ['2026-06-10', '2026-06-11', '2026-06-12'] }
const LONG = { startDate: '2026-01-01', endDate: '2026-12-31' }
const owned = (quantity: number, term: { startDate: string; endDate: string | null } = LONG) => ({
  product: 'Optics',
  quantity,
  term,
})
const used = (
  peaks: number[],
  named: { namedUsers: number; sharedPeak: number } = { namedUsers: 0, sharedPeak: 0 },
) => [{ product: 'Optics', peaks, ...named }]
const denied = (reason: string, count = 1, user = 'ann') => ({ product: 'Optics', user, reason, count })
const TWO_AT_ONCE = used([2, 0, 0])

describe('web licenses', () => {
  test.each<
    [string, Partial<WebUse>, [seats: number, peak: number, needed: number, daysAtLimit: number, advice: string] | null]
  >([
    ['no seats and no use', {}, null],
    ['no use', { entitlements: [owned(5)] }, [5, 0, 0, 0, 'Not used: 5 seats could be released']],
    ['less use than seats', { entitlements: [owned(3)], used: TWO_AT_ONCE }, [3, 2, 2, 0, '1 seat could be released']],
    ['as much use as seats', { entitlements: [owned(2)], used: TWO_AT_ONCE }, [2, 2, 2, 1, 'In balance']],
    [
      'permanent seats',
      { entitlements: [owned(3, { startDate: '2026-01-01', endDate: null })], used: TWO_AT_ONCE },
      [3, 2, 2, 0, '1 seat could be released'],
    ],
    [
      'seats that ended before the range',
      { entitlements: [owned(3, { startDate: '2025-01-01', endDate: '2025-12-31' })] },
      null,
    ],
    [
      'seats that ended within the range',
      { entitlements: [owned(2, { ...LONG, endDate: '2026-06-11' })], used: TWO_AT_ONCE },
      [2, 2, 2, 1, 'Ended in this range'],
    ],
    [
      'seats that were renewed within the range',
      {
        entitlements: [owned(3, { ...LONG, endDate: '2026-06-10' }), owned(3, { ...LONG, startDate: '2026-06-11' })],
        used: TWO_AT_ONCE,
      },
      [3, 2, 2, 0, '1 seat could be released'],
    ],
    [
      'a smaller quantity than before, of which only the rest can be released',
      { entitlements: [owned(3), owned(5, { ...LONG, endDate: '2026-06-11' })], used: TWO_AT_ONCE },
      [8, 2, 2, 0, '1 seat could be released'],
    ],
    [
      'a quantity that is now below the earlier peak',
      { entitlements: [owned(1), owned(5, { ...LONG, endDate: '2026-06-11' })], used: TWO_AT_ONCE },
      [6, 2, 2, 0, 'In balance'],
    ],
    [
      'denials at the limit',
      { entitlements: [owned(2)], used: TWO_AT_ONCE, denials: [denied('NO_SEAT', 4)] },
      [2, 2, 3, 1, '1 more seat is needed'],
    ],
    [
      'denials of several users, each of whom is counted once, and who only need an assignment not at all',
      {
        entitlements: [owned(2)],
        used: TWO_AT_ONCE,
        denials: [
          denied('NO_SEAT', 4),
          denied('NO_SEAT', 1, 'bob'),
          denied('USER_NOT_ASSIGNED', 2, 'cid'),
          denied('EXPORT', 2, 'dan'),
        ],
      },
      [2, 2, 4, 1, '2 more seats are needed'],
    ],
    [
      'several unassigned users who were denied while no seat was free',
      {
        entitlements: [owned(2)],
        used: TWO_AT_ONCE,
        denials: [denied('USER_NOT_ASSIGNED'), denied('USER_NOT_ASSIGNED', 3, 'bob')],
      },
      [2, 2, 4, 1, '2 more seats are needed'],
    ],
    [
      'denials of more users than there are unused seats by now',
      {
        entitlements: [owned(3)],
        used: TWO_AT_ONCE,
        denials: [denied('NO_SEAT'), denied('NO_SEAT', 1, 'bob'), denied('NO_SEAT', 1, 'cid')],
      },
      [3, 2, 5, 0, '2 more seats are needed'],
    ],
    [
      'unassigned users who were denied while seats were unused',
      { entitlements: [owned(5)], used: TWO_AT_ONCE, denials: [denied('USER_NOT_ASSIGNED')] },
      [5, 2, 2, 0, 'Denied with 3 seats unused'],
    ],
    [
      'unassigned users who were denied while no seat was free',
      { entitlements: [owned(2)], used: TWO_AT_ONCE, denials: [denied('USER_NOT_ASSIGNED')] },
      [2, 2, 3, 1, '1 more seat is needed'],
    ],
    [
      'denials that have nothing to do with seats',
      { entitlements: [owned(2)], used: TWO_AT_ONCE, denials: [denied('EXPORT')] },
      [2, 2, 2, 1, 'Denied for other reasons'],
    ],
    [
      'denials of a product that is not owned',
      { denials: [denied('UNKNOWN_PRODUCT')] },
      [0, 0, 0, 0, 'Not licensed in this period'],
    ],
    [
      'named users who hold seats but never work at the same time',
      {
        entitlements: [owned(3)],
        used: used([1, 1, 1], { namedUsers: 2, sharedPeak: 0 }),
      },
      [3, 1, 2, 0, '1 seat could be released'],
    ],
    [
      'named users beside shared seats',
      {
        entitlements: [owned(5)],
        used: used([2, 1, 1], { namedUsers: 2, sharedPeak: 2 }),
      },
      [5, 2, 4, 0, '1 seat could be released'],
    ],
    [
      'unassigned named users who were denied while every seat has its user',
      {
        entitlements: [owned(2)],
        used: used([1, 1, 0], { namedUsers: 2, sharedPeak: 0 }),
        denials: [denied('USER_NOT_ASSIGNED')],
      },
      [2, 1, 3, 0, '1 more seat is needed'],
    ],
  ])('web licenses with %s get the right advice', (_case, use, expected) => {
    const found = weighWebLicenses({ rangeDays, entitlements: [], used: [], denials: [], ...use })
    expect(
      found.map(({ seats, peak, needed, daysAtLimit, advice }) => [
        seats,
        peak,
        needed,
        daysAtLimit,
        adviceText(advice),
      ]),
    ).toEqual(expected ? [expected] : [])
  })

  test('add up the denials of all users, the most frequent reason first', () => {
    const denials = [denied('EXPORT', 2), denied('NO_SEAT', 2), denied('NO_SEAT', 1)]
    expect(weighWebLicenses({ rangeDays, entitlements: [], used: [], denials })[0]).toMatchObject({
      denials: 5,
      reasons: [
        { reason: 'NO_SEAT', count: 3 },
        { reason: 'EXPORT', count: 2 },
      ],
    })
  })
})

describe('elastic products', () => {
  const used = [
    { product: 'Solver', currency: 'AEC', units: '12.50' },
    { product: 'Solver', currency: 'USD', units: '3.00' },
  ]
  test.each<[string, Partial<ElasticUse>, [units: string, peak: number | null, advice: string] | null]>([
    ['no use', {}, null],
    ['units and sessions', { used, peaks: new Map([['Solver', 4]]) }, ['12.50 AEC, 3.00 USD', 4, 'In balance']],
    ['too many sessions to count', { used, peaks: null }, ['12.50 AEC, 3.00 USD', null, 'In balance']],
    ['a running session', { peaks: new Map([['Solver', 1]]) }, ['', 1, 'In balance']],
    [
      'no balance left',
      { denials: [{ ...denied('NO_BALANCE'), product: 'Solver' }] },
      ['', 0, 'More units are needed'],
    ],
    [
      'another denial',
      { used, denials: [{ ...denied('USER_NOT_ALLOWED'), product: 'Solver' }] },
      ['12.50 AEC, 3.00 USD', 0, 'Denied for other reasons'],
    ],
  ])('an elastic product with %s gets the right advice', (_case, use, expected) => {
    const found = weighElastic({ used: [], peaks: new Map(), denials: [], ...use })
    expect(found.map(({ units, peak, advice }) => [units, peak, adviceText(advice)])).toEqual(
      expected ? [expected] : [],
    )
  })
})

test('the text about one seat is in the singular', () => {
  expect(adviceText({ kind: 'DENIED_THOUGH_UNUSED', seats: 1 })).toBe('Denied with 1 seat unused')
})
