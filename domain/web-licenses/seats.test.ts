import { describe, expect, test } from 'vitest'
import { decideSeatClaims, type SeatClaim, type SeatEntitlement } from '#domain/web-licenses/seats.ts'

const TODAY = '2026-06-15'
const named = (quantity: number, ...users: string[]): SeatEntitlement => ({
  kind: 'SUBSCRIPTION',
  product: 'Optics',
  quantity,
  term: { startDate: '2026-01-01', endDate: '2026-12-31' },
  users: new Set(users),
})
const shared = (quantity: number, ...users: string[]): SeatEntitlement => ({
  ...named(quantity, ...users),
  kind: 'CONCURRENT',
})
const ended = { term: { startDate: '2025-01-01', endDate: '2026-06-14' } }
const claim = (id: string, ...users: string[]): SeatClaim => ({ activationIds: [id], users })
const codes = (entitlements: Record<string, SeatEntitlement>, ...claims: SeatClaim[]) =>
  decideSeatClaims(new Map(Object.entries(entitlements)), claims, TODAY).map((refusal) => refusal?.code)

describe('claims of seats', () => {
  test.each<[string, Record<string, SeatEntitlement>, SeatClaim[], (string | undefined)[]]>([
    ['gives a free seat', { A: named(2, 'ann') }, [claim('A', 'bob')], [undefined]],
    ['refuses when all seats are taken', { A: named(1, 'ann') }, [claim('A', 'bob')], ['SEAT_GONE']],
    ['gives the last seat once', { A: named(1) }, [claim('A', 'ann'), claim('A', 'bob')], [undefined, 'SEAT_GONE']],
    ['lets a holder keep the seat', { A: named(1, 'ann') }, [claim('A', 'ann')], [undefined]],
    ['gives a group all seats or none', { A: named(3, 'ann') }, [claim('A', 'bob', 'cid', 'dan')], ['SEAT_GONE']],
    ['counts members who hold a seat already once', { A: named(2, 'ann') }, [claim('A', 'ann', 'bob')], [undefined]],
    ['counts a user who is named twice once', { A: named(1) }, [claim('A', 'ann', 'ann')], [undefined]],
    [
      'takes nothing for a refused claim',
      { A: named(1) },
      [claim('A', 'ann', 'bob'), claim('A', 'ann')],
      ['SEAT_GONE', undefined],
    ],
    ['lets any number use a shared entitlement', { A: shared(1, 'ann') }, [claim('A', 'bob', 'cid')], [undefined]],
    ['refuses an unknown entitlement', {}, [claim('A', 'ann')], ['NO_SUCH_ACTIVATION']],
    ['refuses an expired entitlement', { A: { ...named(5), ...ended } }, [claim('A', 'ann')], ['ENTITLEMENT_EXPIRED']],
    [
      'assigns an entitlement before it starts',
      { A: { ...named(1), term: { startDate: '2026-07-01', endDate: null } } },
      [claim('A', 'ann')],
      [undefined],
    ],
    [
      'lets somebody join a group whose entitlement has expired',
      { A: { ...named(1), ...ended } },
      [{ activationIds: [], ofGroups: ['A'], users: ['ann'] }],
      [undefined],
    ],
    [
      'takes a seat of every entitlement of a group, or none',
      { A: named(1), B: named(1, 'bob') },
      [{ activationIds: [], ofGroups: ['A', 'B'], users: ['ann'] }, claim('A', 'cid')],
      ['SEAT_GONE', undefined],
    ],
    [
      'takes seats of a group and of named entitlements together, or none',
      { A: named(1), B: named(1, 'bob') },
      [{ activationIds: ['A'], ofGroups: ['B'], users: ['ann'] }, claim('A', 'cid')],
      ['SEAT_GONE', undefined],
    ],
    [
      'counts an entitlement once that is named and comes with a group',
      { A: named(1) },
      [{ activationIds: ['A'], ofGroups: ['A'], users: ['ann'] }],
      [undefined],
    ],
    [
      'refuses an expired entitlement that is named, even if it comes with a group',
      { A: { ...named(1), ...ended } },
      [{ activationIds: ['A'], ofGroups: ['A'], users: ['ann'] }],
      ['ENTITLEMENT_EXPIRED'],
    ],
    [
      'gives nothing while more are assigned than bought',
      { A: named(1, 'ann', 'bob') },
      [claim('A', 'cid')],
      ['SEAT_GONE'],
    ],
  ])('the decision %s', (_name, entitlements, claims, expected) => {
    expect(codes(entitlements, ...claims)).toEqual(expected)
  })

  test('a refusal says how many seats a group needs', () => {
    const claims = [{ ...claim('A', 'bob', 'cid'), group: 'Optics team' }]
    expect(decideSeatClaims(new Map([['A', named(2, 'ann')]]), claims, TODAY)[0]?.err).toBe(
      'Optics team needs 2 seats of Optics, and 1 is free.',
    )
  })
})
