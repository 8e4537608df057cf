import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BookedPart, takeBack } from '#domain/elastic/usage/take-back.ts'
import { sum, toFixedText } from '#domain/money/decimal.ts'

const part = (transactionNumber: string, activationId: string, left: string): BookedPart => ({
  transactionNumber,
  activationId,
  left,
})
const ONE = [part('1', 'A', '10.00')]
const SPLIT = [part('1', 'A', '10.00'), part('2', 'B', '5.00'), part('3', 'B', '1.00')]

test.each([
  ['a part of a charge', '4.00', ONE, undefined, [{ transactionNumber: '1', charge: '-4.00' }]],
  ['a whole charge', '10.00', ONE, 'A', [{ transactionNumber: '1', charge: '-10.00' }]],
  ['a hundredth more than the charge', '10.01', ONE, undefined, 'OVER_CORRECTED'],
  ['something of a charge that is taken back already', '0.01', [part('1', 'A', '0.00')], undefined, 'OVER_CORRECTED'],
  ['from an entitlement that was not drawn on', '1.00', ONE, 'B', 'ACTIVATION_MISMATCH'],
  [
    'a split charge from its last part on',
    '8.00',
    SPLIT,
    undefined,
    [
      { transactionNumber: '3', charge: '-1.00' },
      { transactionNumber: '2', charge: '-5.00' },
      { transactionNumber: '1', charge: '-2.00' },
    ],
  ],
  ['only the part that is named', '2.00', SPLIT, 'A', [{ transactionNumber: '1', charge: '-2.00' }]],
  ['more than the part that is named', '6.01', SPLIT, 'B', 'OVER_CORRECTED'],
])('takes back %s', (_, amount, parts, activationId, expected) => {
  expect(takeBack(amount, parts, activationId)).toEqual(expected)
})

test('takes back the exact amount, and never more than a part has left', () => {
  const cents = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 300_000 }),
      (lefts, amount) => {
        const parts = lefts.map((left, at) => part(String(at), 'A', (left / 100).toFixed(2)))
        const taken = takeBack((amount / 100).toFixed(2), parts)
        const all = lefts.reduce((before, left) => before + left, 0)
        if (typeof taken === 'string') {
          expect(amount).toBeGreaterThan(all)
          return
        }
        expect(toFixedText(sum(taken.map(({ charge }) => charge)), 2)).toBe(`-${(amount / 100).toFixed(2)}`)
        for (const { transactionNumber, charge } of taken)
          expect(-Number(charge) * 100).toBeLessThanOrEqual((lefts[Number(transactionNumber)] ?? 0) + 0.001)
      },
    ),
  )
})
