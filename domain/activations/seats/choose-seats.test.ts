import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RawActivation } from '#domain/activations/seats/activation-row.ts'
import { chooseSeats } from '#domain/activations/seats/choose-seats.ts'
import { lease, permanent, TODAY, tab } from '#domain/activations/testing/samples.ts'

const entitlement = (ActivationId: string, EndDate: string, LineItemQuantity: number): RawActivation => ({
  ...lease,
  ActivationId,
  EndDate,
  LineItemQuantity,
})
const paidUp = (ActivationId: string, LineItemQuantity: number, maintainedUntil = '2027-06-30'): RawActivation => ({
  ...permanent(maintainedUntil),
  ActivationId,
  LineItemQuantity,
})
const nextYear = (ActivationId: string, LineItemQuantity: number): RawActivation => ({
  ...entitlement(ActivationId, '2027-12-31', LineItemQuantity),
  StartDate: '2027-01-01',
})
const choices = (raw: readonly RawActivation[], wanted: number) =>
  chooseSeats(tab('100001', ...raw).available, wanted, TODAY)

const JUNE = entitlement('june', '2027-06-30', 3)
const MARCH = entitlement('march', '2027-03-31', 4)
const SOON = entitlement('soon', '2026-11-21', 5)

test.each<[string, RawActivation[], number, string[]]>([
  ['the latest end first', [MARCH, JUNE], 3, ['june 3 latest end', 'march 0 latest end']],
  ['the next one for the rest', [MARCH, JUNE], 5, ['june 3 latest end', 'march 2 latest end']],
  ['all of them if there are too few seats', [MARCH, JUNE], 9, ['june 3 latest end', 'march 4 latest end']],
  ['a permanent license before every end', [JUNE, paidUp('paid', 2)], 2, ['paid 2 latest end', 'june 0 latest end']],
  ['none that ends within 7 days while another will do', [SOON, MARCH], 4, ['march 4 latest end', 'soon 0 ends soon']],
  ['one that ends within 7 days where no other will do', [SOON, MARCH], 6, ['march 4 latest end', 'soon 2 ends soon']],
  [
    'one that ends on the eighth day as any other',
    [entitlement('eighth', '2026-11-22', 1), SOON],
    2,
    ['eighth 1 latest end', 'soon 1 ends soon'],
  ],
  [
    'what runs today before what starts later',
    [nextYear('next', 5), JUNE],
    4,
    ['june 3 latest end', 'next 1 not started'],
  ],
  [
    'what starts later before what ends within 7 days',
    [SOON, nextYear('next', 5)],
    4,
    ['next 4 not started', 'soon 0 ends soon'],
  ],
  [
    'expired maintenance last',
    [paidUp('old', 9, '2026-01-31'), SOON],
    6,
    ['soon 5 ends soon', 'old 1 maintenance expired'],
  ],
  [
    'by activation id where the ends are equal',
    [entitlement('b', '2027-06-30', 1), entitlement('a', '2027-06-30', 1)],
    1,
    ['a 1 latest end', 'b 0 latest end'],
  ],
  ['only free seats', [{ ...JUNE, AnsysActivated: 2 }, MARCH], 3, ['june 1 latest end', 'march 2 latest end']],
])('takes %s', (_, raw, wanted, expected) => {
  const chosen = choices(raw, wanted)
  expect(chosen.map(({ row, seats, turn }) => `${row.activationid} ${seats} ${turn}`)).toEqual(expected)
})

test('never takes more than wanted or free, and leaves no seat of an earlier turn or a later end', () => {
  const day = (offset: number) => new Date(Date.UTC(2026, 10, 15 + offset)).toISOString().slice(0, 10)
  const one = fc.record({ end: fc.integer({ min: 0, max: 20 }), quantity: fc.integer({ min: 1, max: 5 }) })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), fc.integer({ min: 1, max: 30 }), (ends, wanted) => {
      const raw = ends.map(({ end, quantity }, index) => entitlement(`e-${index}`, day(end), quantity))
      const chosen = choices(raw, wanted)
      const free = raw.reduce((sum, { LineItemQuantity }) => sum + LineItemQuantity, 0)
      expect(chosen.reduce((sum, { seats }) => sum + seats, 0)).toBe(Math.min(wanted, free))
      for (const { row, seats } of chosen) expect(seats).toBeLessThanOrEqual(row.ansysavailable)
      for (const [index, next] of chosen.entries()) {
        const before = chosen[index - 1]
        if (!before) continue
        expect(before.row.enddate >= next.row.enddate).toBe(true)
        if (next.seats > 0) expect(before.seats).toBe(before.row.ansysavailable)
      }
    }),
  )
})
