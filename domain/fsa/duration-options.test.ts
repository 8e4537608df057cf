import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { type FsaProduct, pricedPeriods } from '#domain/fsa/contract.ts'
import { PRICE_PERIODS, periodEnd } from '#domain/fsa/duration.ts'
import { durationOptions, longestFitting } from '#domain/fsa/duration-options.ts'
import { CHEMISTRY, SOLVER } from '#domain/fsa/testing/samples.ts'

const shown = (product: FsaProduct, start: string, end: string) =>
  durationOptions(product, start, end).map(({ duration, endDate, unitCost }) => `${duration} ${endDate} ${unitCost}`)

describe('the options for a duration', () => {
  test('offers the periods that fit, and the remainder prorated from the longest of them', () => {
    // 198 days are left: 9120 × 198 ÷ 180.
    expect(shown(SOLVER, '2026-11-15', '2027-05-31')).toEqual([
      '7 2026-11-21 665.00',
      '30 2026-12-14 1900.00',
      '60 2027-01-13 3515.00',
      '90 2027-02-12 4940.00',
      '180 2027-05-13 9120.00',
      'Remainder 2027-05-31 10032.00',
    ])
  })

  test('offers one year only if the year fits before the end of the contract', () => {
    expect(shown(SOLVER, '2026-06-01', '2027-05-31').at(-1)).toBe('365 2027-05-31 16150.00')
    expect(shown(SOLVER, '2026-06-02', '2027-05-31').at(-1)).toBe('Remainder 2027-05-31 18442.67')
    expect(shown(CHEMISTRY, '2026-06-01', '2028-05-31').map((one) => one.split(' ')[0])).toEqual([
      '30',
      '90',
      'Remainder',
    ])
  })

  test('divides the price of one year by 365, also across a leap day', () => {
    // 731 days: 16150 × 731 ÷ 365 = 32344.2465…
    expect(shown(SOLVER, '2027-06-01', '2029-05-31').at(-1)).toBe('Remainder 2029-05-31 32344.25')
  })

  test('offers no remainder where a period ends exactly with the contract', () => {
    expect(shown(SOLVER, '2026-11-15', '2026-12-14')).toEqual(['7 2026-11-21 665.00', '30 2026-12-14 1900.00'])
  })

  test('prorates the remainder from the shortest period where none fits', () => {
    // 1600 × 5 ÷ 30 = 266.666…
    expect(shown(CHEMISTRY, '2026-11-15', '2026-11-19')).toEqual(['Remainder 2026-11-19 266.67'])
    expect(shown(SOLVER, '2026-11-15', '2026-11-15')).toEqual(['Remainder 2026-11-15 95.00'])
  })

  test('rounds the prorated price half up to the cent', () => {
    // 0.15 × 1 ÷ 30 = 0.005.
    const cheap: FsaProduct = { partNumber: 'P', name: 'P', prices: { 30: '0.15' } }
    expect(shown(cheap, '2026-11-15', '2026-11-15')).toEqual(['Remainder 2026-11-15 0.01'])
  })

  test.each([
    ['a start after the end of the contract', SOLVER, '2027-06-01'],
    ['a product without prices', { ...SOLVER, prices: {} }, '2026-11-15'],
  ])('offers nothing for %s', (_case, product, start) => {
    expect(shown(product, start, '2027-05-31')).toEqual([])
  })

  test('offers each end once, ascending, within the contract, whatever the prices and dates are', () => {
    const anyProduct = fc
      .uniqueArray(fc.constantFrom(...PRICE_PERIODS))
      .map((periods): FsaProduct => ({ ...SOLVER, prices: Object.fromEntries(periods.map((one) => [one, '10.01'])) }))
    fc.assert(
      fc.property(
        anyProduct,
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 0, max: 900 }),
        (product, at, span) => {
          const start = addDays('2024-01-01', at)
          const end = addDays(start, span)
          const options = durationOptions(product, start, end)
          const ends = options.map(({ endDate }) => endDate)
          expect(ends).toEqual([...new Set(ends)].sort())
          for (const { duration, endDate } of options) {
            expect(endDate <= end).toBe(true)
            if (duration !== 'Remainder') expect(endDate).toBe(periodEnd(start, duration))
          }
          // Something always ends with the contract, if the product has a price at all.
          expect(ends.at(-1)).toBe(pricedPeriods(product).length > 0 ? end : undefined)
        },
      ),
    )
  })
})

test('the longest period that fits is the default, the remainder only if no period fits', () => {
  const defaultOf = (start: string, end: string) => longestFitting(durationOptions(SOLVER, start, end))?.duration
  expect(defaultOf('2026-11-15', '2027-05-31')).toBe(180)
  expect(defaultOf('2026-06-01', '2027-05-31')).toBe(365)
  expect(defaultOf('2026-11-15', '2026-11-18')).toBe('Remainder')
  expect(longestFitting([])).toBe(undefined)
})
