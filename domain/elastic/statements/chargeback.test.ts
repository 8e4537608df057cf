import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pieSlices } from '#domain/chart/pie.ts'
import { byPerson, type ChargebackLine, createChargeback } from '#domain/elastic/statements/chargeback.ts'

const line = (name: string, used: string, currency = 'AEU'): ChargebackLine => ({
  name,
  used,
  currency,
  hours: '1.50',
  transactions: 2,
})
const shares = (...lines: ChargebackLine[]) => createChargeback(lines).rows.map(({ name, share }) => [name, share])

describe('usage by department', () => {
  const people = new Map([
    ['anna', { department: 'Design', costCenter: '1' }],
    ['ben', { department: 'Design', costCenter: '2' }],
    ['carl', { department: '', costCenter: '' }],
  ])

  test('adds up users, of each currency by itself, and those without one', () => {
    const users = [
      line('Anna', '1.10'),
      line('ben', '2.20'),
      line('ben', '5', 'EUR'),
      line('carl', '1'),
      line('x', '2'),
    ]
    const found = byPerson(users, people, 'department')
    expect(found.map(({ name, currency, used, transactions }) => [name, currency, used, transactions])).toEqual([
      ['Design', 'AEU', '3.3', 4],
      ['Design', 'EUR', '5', 2],
      ['', 'AEU', '3', 4],
    ])
    expect(byPerson(users, people, 'costCenter').map(({ name }) => name)).toEqual(['1', '2', '2', ''])
  })
})

describe('a chargeback', () => {
  test('has the most used first, with its share', () => {
    expect(shares(line('small', '25.00'), line('large', '75.00'))).toEqual([
      ['large', '75.0'],
      ['small', '25.0'],
    ])
  })

  test('orders names that used the same by their text', () => {
    expect(shares(line('b', '1'), line('a', '1'), line('', '2'))).toEqual([
      ['', '50.0'],
      ['a', '25.0'],
      ['b', '25.0'],
    ])
  })

  test('adds up each currency by itself, the most used one first', () => {
    const { rows, totals } = createChargeback([line('a', '0.10', 'EUR'), line('a', '0.20'), line('b', '0.20', 'EUR')])
    expect(rows.map(({ name, currency, share }) => [name, currency, share])).toEqual([
      ['b', 'EUR', '66.7'],
      ['a', 'EUR', '33.3'],
      ['a', 'AEU', '100.0'],
    ])
    expect(totals).toEqual([
      { currency: 'EUR', used: '0.3', hours: '3', transactions: 4 },
      { currency: 'AEU', used: '0.2', hours: '1.5', transactions: 2 },
    ])
  })

  test.each([
    ['corrections took everything back', [line('a', '5.00'), line('b', '-5.00')], [null, null]],
    ['corrections took back more than was used', [line('a', '-5.00')], [null]],
    ['one name has a negative net', [line('a', '15.00'), line('b', '-5.00')], ['150.0', '-50.0']],
  ])('has no shares where the total is not positive: %s', (_, lines, expected) => {
    expect(createChargeback(lines).rows.map(({ share }) => share)).toEqual(expected)
  })

  test('has the shares of the pie, unless something is negative', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 7 }), (cents) => {
        const lines = cents.map((cent, at) => line(`P${at}`, (cent / 100).toFixed(2)))
        const pie = pieSlices(lines.map(({ name, used }) => ({ label: name, value: used })))
        const ofPie = new Map(pie.map(({ label, percent }) => [label, percent.toFixed(1)]))
        expect(new Map(createChargeback(lines).rows.map(({ name, share }) => [name, share]))).toEqual(ofPie)
      }),
    )
    expect(shares(line('a', '100.00'), line('b', '-20.00'))[0]).toEqual(['a', '125.0'])
    expect(
      pieSlices([
        { label: 'a', value: '100.00' },
        { label: 'b', value: '-20.00' },
      ])[0]?.percent,
    ).toBe(100)
  })

  test('is empty without usage', () => {
    expect(createChargeback([])).toEqual({ rows: [], totals: [] })
  })
})
