import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leftOutNote, pieSlices } from '#domain/chart/pie.ts'
import { sum } from '#domain/money/decimal.ts'

const parts = (...values: (string | number)[]) => values.map((value, index) => ({ label: `P${index}`, value }))

describe('a pie', () => {
  test('shows the largest part first, with its percentage', () => {
    const slices = pieSlices(parts('12.50', '37.50', 50))
    expect(slices.map(({ label, value, percent }) => [label, value, percent])).toEqual([
      ['P2', '50', 50],
      ['P1', '37.5', 37.5],
      ['P0', '12.5', 12.5],
    ])
    expect(slices[0]?.path).toBe('M72.00 0.00A72 72 0 0 1 72.00 144.00L72.00 120.00A48 48 0 0 0 72.00 24.00Z')
  })

  test('draws a single part as a ring without a visible gap', () => {
    const path = expect.stringMatching(/^M72.00 0.00A72 72 0 1 1 71.95 0.00L71.97 24.00A48 48 0 1 0 72.00 24.00Z$/)
    expect(pieSlices(parts('0.01'))[0]).toMatchObject({ percent: 100, path })
  })

  test('leaves out parts that are zero or negative', () => {
    expect(pieSlices(parts(0, '-3', '2')).map(({ label }) => label)).toEqual(['P2'])
    expect(pieSlices(parts(0, '-3'))).toEqual([])
  })

  test.each([
    [['5', 0], undefined],
    [['5', '-32'], '1 product with negative usage (-32.00)'],
    [['-1000.50', '5', '-32.00'], '2 products with negative usage (-1,032.50)'],
  ])('says what it leaves out of %j: %s', (values, what) => {
    const note = what && `Not in the chart: ${what}. Percentages are of the usage in the chart.`
    expect(leftOutNote(parts(...values), ['product', 'products'])).toBe(note)
  })

  test('joins what does not fit as one gray slice', () => {
    const slices = pieSlices(parts(...Array.from({ length: 12 }, (_, index) => 100 - index)))
    expect(slices).toHaveLength(8)
    expect(slices.at(-1)).toMatchObject({ label: '5 others', value: '455', color: '#8a919c' })
    expect(pieSlices(parts(8, 7, 6, 5, 4, 3, 2, 1)).at(-1)).toMatchObject({ label: 'P7', value: '1' })
  })

  test('loses no cent and gives every slice a color of its own', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 12 }), { minLength: 1, maxLength: 40 }), (cents) => {
        const slices = pieSlices(parts(...cents.map((cent) => (cent / 100).toFixed(2))))
        expect(sum(slices.map(({ value }) => value))).toBe(sum(cents.map((cent) => (cent / 100).toFixed(2))))
        expect(new Set(slices.map(({ color }) => color)).size).toBe(slices.length)
      }),
    )
  })
})
