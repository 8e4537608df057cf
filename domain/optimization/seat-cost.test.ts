import { expect, test } from 'vitest'
import { costOfSeats, costText, type NoCost, noCostOf, type SpendingAccount } from '#domain/optimization/seat-cost.ts'

const TODAY = '2026-06-15'
const contract = (change: Partial<SpendingAccount> = {}): SpendingAccount => ({
  fsaId: 'F1',
  startDate: '2026-01-01',
  endDate: '2027-12-31',
  currency: 'USD',
  price: '100000.00',
  available: '50000.00',
  products: [{ partNumber: 'P1', name: 'Optics', prices: { 90: '300.00', 365: '1000.50' } }],
  ...change,
})

test.each<[string, number, SpendingAccount[], string | null]>([
  ['a year that fits', 3, [contract()], 'F1 P1 3001.50 USD 1 Year'],
  ['a contract that ends before a year is over', 2, [contract({ endDate: '2026-12-31' })], 'F1 P1 600.00 USD 90 Days'],
  [
    'a contract that ends within the shortest period',
    1,
    [contract({ endDate: '2026-07-14' })],
    'F1 P1 100.00 USD Remainder',
  ],
  ['a contract that has ended', 1, [contract({ endDate: '2026-06-14' })], null],
  ['a contract that ends today', 1, [contract({ endDate: TODAY })], 'F1 P1 3.33 USD Remainder'],
  ['no price for the product', 1, [contract({ products: [] })], null],
  ['no contract', 1, [], null],
  ['no seats to change', 0, [contract()], null],
  [
    'a first contract without enough balance',
    2,
    [contract({ available: '2000.99' }), contract({ fsaId: 'F2', currency: 'EUR' })],
    'F2 P1 2001.00 EUR 1 Year',
  ],
  [
    'a first contract that has not begun',
    1,
    [contract({ startDate: '2026-07-01' }), contract({ fsaId: 'F2', available: '2000.00' })],
    'F2 P1 1000.50 USD 1 Year',
  ],
  [
    'no contract with enough balance',
    2,
    [contract({ available: '0.00' }), contract({ fsaId: 'F2', available: '1.00' })],
    'F1 P1 2001.00 USD 1 Year',
  ],
])('the cost of seats with %s', (_, seats, contracts, expected) => {
  const found = costOfSeats('Optics', seats, contracts, TODAY)
  expect(found && [found.fsaId, found.partNumber, found.cost, found.currency, found.duration].join(' ')).toBe(expected)
})

test('the cost is written with its currency and its duration', () => {
  expect(costText({ cost: '53550.00', currency: 'USD', duration: '1 Year' })).toBe('53,550.00 USD for 1 Year')
})

test.each<[string, SpendingAccount[], NoCost]>([
  ['no contract', [], 'NO_SPENDING_ACCOUNT'],
  ['a contract that has ended', [contract({ endDate: '2026-06-14' })], 'NO_SPENDING_ACCOUNT'],
  ['a contract that ends today', [contract({ endDate: TODAY })], 'NOT_OFFERED'],
  ['a contract without the product', [contract({ products: [] })], 'NOT_OFFERED'],
])('the reason for no cost with %s', (_, contracts, reason) => {
  expect(noCostOf(contracts, TODAY)).toBe(reason)
})
