import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Balances, type Drawable, drawOrder } from '#domain/elastic/balances/draw-charge.ts'
import { compare, sum } from '#domain/money/decimal.ts'

const DAY = '2026-10-10'

const entitlement = (activationId: string, left: string, values: Partial<Drawable> = {}): Drawable => ({
  activationId,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  currency: 'AEU',
  rateTableVersion: '2026R1.3',
  left,
  ...values,
})
const ids = (order: readonly Drawable[]) => order.map(({ activationId }) => activationId).join(' ')

describe('the order of drawing', () => {
  it.each<[string, Drawable[], string]>([
    [
      'the entitlement with the earliest end first',
      [entitlement('A', '1', { endDate: '2026-12-31' }), entitlement('B', '1', { endDate: '2026-11-30' })],
      'B A',
    ],
    ['permanent entitlements last', [entitlement('A', '1', { endDate: null }), entitlement('B', '1')], 'B A'],
    [
      'the earlier start first when ends are equal',
      [entitlement('A', '1', { startDate: '2026-02-01' }), entitlement('B', '1')],
      'B A',
    ],
    ['the lower id first when dates are equal', [entitlement('B', '1'), entitlement('A', '1')], 'A B'],
    [
      'an entitlement on its first and last day',
      [entitlement('A', '1', { startDate: DAY }), entitlement('B', '1', { endDate: DAY })],
      'B A',
    ],
    [
      'no entitlement before its start or after its end',
      [entitlement('A', '1', { startDate: '2026-10-11' }), entitlement('B', '1', { endDate: '2026-10-09' })],
      '',
    ],
  ])('a charge is drawn from %s', (_name, entitlements, expected) => {
    expect(ids(drawOrder(entitlements, DAY))).toBe(expected)
  })
})

/** Units per hour of a product, by rate table version. */
const RATES = { '2026R1.3': '7.5' }

describe('the entitlement of a new session', () => {
  it.each<[string, Drawable[], Record<string, string>, string]>([
    ['begins on the first with something left', [entitlement('A', '0.00'), entitlement('B', '0.01')], {}, 'B'],
    ['does not begin on an overdrawn one', [entitlement('A', '-5.00'), entitlement('B', '3.00')], {}, 'B'],
    ['is refused when nothing is left', [entitlement('A', '0.00')], {}, 'NO_BALANCE'],
    ['is refused without entitlements', [], {}, 'NO_BALANCE'],
    [
      'is refused when running sessions cost all that is left',
      [entitlement('A', '2.00'), entitlement('B', '3.00')],
      { AEU: '5.00' },
      'NO_BALANCE',
    ],
    [
      'begins where running sessions leave something',
      [entitlement('A', '2.00'), entitlement('B', '3.00')],
      { AEU: '4.99' },
      'B',
    ],
    ['begins regardless of what runs in another currency', [entitlement('A', '2.00')], { AEC: '9.00' }, 'A'],
    [
      'begins in another currency if the first is used up',
      [entitlement('A', '2.00'), entitlement('B', '1.00', { currency: 'AEC' })],
      { AEU: '2.00' },
      'B',
    ],
    [
      'passes over an entitlement without a rate for the product',
      [entitlement('A', '2.00', { rateTableVersion: 'other' }), entitlement('B', '1.00')],
      {},
      'B',
    ],
    [
      'is refused when no entitlement has a rate for the product',
      [entitlement('A', '2.00', { rateTableVersion: 'other' })],
      {},
      'UNKNOWN_PRODUCT',
    ],
  ])('a new session %s', (_name, entitlements, accrued, expected) => {
    const beginning = new Balances(entitlements).beginNow(DAY, RATES, accrued)
    expect(typeof beginning === 'string' ? beginning : beginning.entitlement.activationId).toBe(expected)
  })
})

describe('the entitlement of a finished session', () => {
  it.each<[string, Drawable[], string]>([
    ['began on the first with something left', [entitlement('A', '0.00'), entitlement('B', '0.01')], 'B'],
    ['began on the last with a rate when nothing is left', [entitlement('A', '0.00'), entitlement('B', '-1.00')], 'B'],
    ['is refused when no entitlement was valid', [entitlement('A', '2.00', { endDate: '2026-10-09' })], 'NO_BALANCE'],
    [
      'is refused when no entitlement has a rate for the product',
      [entitlement('A', '2.00', { rateTableVersion: 'other' })],
      'UNKNOWN_PRODUCT',
    ],
  ])('a session that is over %s', (_name, entitlements, expected) => {
    const beginning = new Balances(entitlements).beginningOn(DAY, RATES)
    expect(typeof beginning === 'string' ? beginning : beginning.entitlement.activationId).toBe(expected)
  })
})

describe('draws of a charge', () => {
  it.each<[string, string, Drawable[], string]>([
    [
      'smaller than the first entitlement is drawn there',
      '3.00',
      [entitlement('A', '5.00'), entitlement('B', '5.00')],
      'A 3.00',
    ],
    ['of exactly what is left is drawn there', '5.00', [entitlement('A', '5.00'), entitlement('B', '5.00')], 'A 5.00'],
    ['continues on the next one', '7.50', [entitlement('A', '5.00'), entitlement('B', '5.00')], 'A 5.00, B 2.50'],
    ['passes over a used-up one', '1.00', [entitlement('A', '0.00'), entitlement('B', '5.00')], 'B 1.00'],
    ['passes over an overdrawn one', '1.00', [entitlement('A', '-2.00'), entitlement('B', '5.00')], 'B 1.00'],
    [
      'leaves the excess to the last one',
      '12.01',
      [entitlement('A', '5.00'), entitlement('B', '5.00')],
      'A 5.00, B 7.01',
    ],
    ['overdraws the last one', '1.00', [entitlement('A', '0.00'), entitlement('B', '-3.00')], 'B 1.00'],
    ['of nothing is booked', '0.00', [entitlement('A', '0.00'), entitlement('B', '5.00')], 'B 0.00'],
  ])('a charge %s', (_name, charge, order, expected) => {
    const text = new Balances(order)
      .draw(charge, DAY, entitlement('A', ''))
      .map((draw) => `${draw.activationId} ${draw.charge}`)
      .join(', ')
    expect(text).toBe(expected)
  })
})

describe('drawing on one account', () => {
  it('stays within the currency in which the session began', () => {
    const balances = new Balances([
      entitlement('A', '1.00'),
      entitlement('B', '9.00', { currency: 'AEC', endDate: null }),
    ])
    expect(balances.draw('3.00', DAY, entitlement('A', ''))).toEqual([{ activationId: 'A', charge: '3.00' }])
  })

  it('draws on the named entitlement when none is valid any more', () => {
    const balances = new Balances([])
    expect(balances.draw('3.00', DAY, entitlement('A', ''))).toEqual([{ activationId: 'A', charge: '3.00' }])
  })
})

const cents = (most: number, least = 0) =>
  fc.integer({ min: least, max: most }).map((value) => (value / 100).toFixed(2))
const someEntitlements = fc
  .array(fc.record({ left: cents(5_000, -500), month: fc.integer({ min: 10, max: 12 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.map(({ left, month }, at) => entitlement(`A${at}`, left, { endDate: `2026-${month}-28` })))

const drawAll = (entitlements: readonly Drawable[], charges: readonly string[]) => {
  const balances = new Balances(entitlements)
  const draws = charges.map((charge) => balances.draw(charge, DAY, entitlement('A0', '')))
  return { draws, left: entitlements.map(({ activationId }) => balances.find(activationId)?.left) }
}

test('the parts of every charge add up to it, to the cent', () => {
  fc.assert(
    fc.property(someEntitlements, fc.array(cents(4_000), { maxLength: 20 }), (entitlements, charges) => {
      for (const [at, parts] of drawAll(entitlements, charges).draws.entries())
        expect(compare(sum(parts.map(({ charge }) => charge)), charges[at] ?? '')).toBe(0)
    }),
  )
})

test('charges of the same entitlements leave the same balances in any order of arrival', () => {
  const shuffled = fc
    .array(cents(4_000), { maxLength: 20 })
    .chain((charges) => fc.tuple(fc.constant(charges), fc.shuffledSubarray(charges, { minLength: charges.length })))
  fc.assert(
    fc.property(someEntitlements, shuffled, (entitlements, [one, other]) => {
      expect(drawAll(entitlements, other).left).toEqual(drawAll(entitlements, one).left)
    }),
  )
})

test('no entitlement but the last is drawn below nothing', () => {
  fc.assert(
    fc.property(someEntitlements, fc.array(cents(4_000), { maxLength: 20 }), (entitlements, charges) => {
      const { left } = drawAll(entitlements, charges)
      const last = drawOrder(entitlements, DAY).at(-1)?.activationId
      for (const [at, { activationId, left: before }] of entitlements.entries())
        if (activationId !== last && compare(before, 0) >= 0)
          expect(compare(left[at] ?? '', 0)).toBeGreaterThanOrEqual(0)
    }),
  )
})
