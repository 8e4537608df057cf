import { describe, expect, test } from 'vitest'
import {
  freeSeatsFor,
  type GivenEntitlement,
  type SeatHolder,
  seatGivers,
  waysToSeat,
} from '#domain/web-licenses/give-seat.ts'

const TODAY = '2026-11-16'
const named = (activationId: string, change: Partial<GivenEntitlement> = {}): GivenEntitlement => ({
  activationId,
  kind: 'SUBSCRIPTION',
  quantity: 2,
  assigned: 2,
  running: 0,
  term: { startDate: '2026-01-01', endDate: '2026-12-31' },
  isOwn: false,
  ...change,
})
const shared = (activationId: string, change: Partial<GivenEntitlement> = {}) =>
  named(activationId, { kind: 'CONCURRENT', assigned: 9, running: 2, ...change })
const EXPIRED = { startDate: '2025-01-01', endDate: '2025-12-31' }
const LATER = { startDate: '2026-12-01', endDate: '2027-12-31' }

describe('the ways to a seat', () => {
  test.each<[string, GivenEntitlement[], string[] | 'settled']>([
    ['no entitlement', [], []],
    ['only expired and upcoming ones', [named('A', { term: EXPIRED }), shared('B', { term: LATER })], []],
    ['a free named seat', [named('A', { assigned: 1 })], ['A free']],
    ['a shared entitlement with room', [shared('A', { running: 1 })], ['A free']],
    ['full ones', [named('A'), shared('B')], ['B taken', 'A taken']],
    ['a free one after a full one', [shared('A'), named('B', { assigned: 0 })], ['B free', 'A taken']],
    ['two free ones', [named('A', { assigned: 0 }), shared('B', { running: 0 })], ['B free', 'A free']],
    [
      'ends on different days',
      [
        named('A', { assigned: 0 }),
        named('B', { assigned: 0, term: { startDate: '2026-01-01', endDate: '2027-06-30' } }),
        named('C', { assigned: 0, term: { startDate: '2026-01-01', endDate: null } }),
      ],
      ['C free', 'B free', 'A free'],
    ],
    ['more assigned than bought', [named('A', { assigned: 3 })], ['A taken']],
    ['a seat of their own', [named('A', { isOwn: true }), shared('B')], 'settled'],
    ['their shared seats full', [shared('A', { isOwn: true })], ['A taken']],
    ['room on their shared seats again', [shared('A', { isOwn: true, running: 1 })], 'settled'],
    ['a seat of their own that has expired', [named('A', { isOwn: true, term: EXPIRED })], []],
  ])('of a user with %s', (_, entitlements, expected) => {
    const found = waysToSeat(entitlements, TODAY)
    const texts = found.isSettled
      ? 'settled'
      : found.ways.map(({ entitlement, seat }) => `${entitlement.activationId} ${seat}`)
    expect(texts).toEqual(expected)
  })
})

describe('who can give a seat up', () => {
  const holder = (email: string, change: Partial<SeatHolder> = {}): SeatHolder => ({
    email,
    isDirect: true,
    running: 0,
    since: '2026-05-01T00:00:00.000Z',
    ...change,
  })
  const HOLDERS = [
    holder('busy', { running: 1 }),
    holder('late', { since: '2026-09-01T00:00:00.000Z' }),
    holder('early'),
    holder('member', { isDirect: false, running: 1 }),
    holder('eve', { running: 1 }),
  ]
  test.each([
    ['SUBSCRIPTION', ['early', 'late', 'busy']],
    ['CONCURRENT', ['busy']],
  ] as const)('of %s seats', (kind, expected) => {
    expect(seatGivers(kind, HOLDERS, 'eve').map(({ email }) => email)).toEqual(expected)
  })
})

describe('free seats for several people', () => {
  const people = (...users: string[]) => users.map((user) => ({ user, product: 'Optics' }))
  const of = (entitlement: GivenEntitlement, product = 'Optics') => ({ ...entitlement, product })
  const licenses = (wanted: { user: string; product: string }[], entitlements: ReturnType<typeof of>[]) =>
    freeSeatsFor(wanted, entitlements, TODAY).map(({ user, license }) => `${user} ${license?.activationId ?? '-'}`)

  test('a named seat is given once', () => {
    expect(licenses(people('ann', 'bob', 'eve'), [of(named('A', { assigned: 0 }))])).toEqual([
      'ann A',
      'bob A',
      'eve -',
    ])
  })
  test('a shared license with room takes everybody', () => {
    expect(licenses(people('ann', 'bob'), [of(shared('A', { running: 1 }))])).toEqual(['ann A', 'bob A'])
  })
  test('seats of other products and expired ones are no choice', () => {
    const others = [of(named('A', { assigned: 0 }), 'Fluids'), of(named('B', { assigned: 0, term: EXPIRED }))]
    expect(licenses(people('ann'), others)).toEqual(['ann -'])
  })
})
