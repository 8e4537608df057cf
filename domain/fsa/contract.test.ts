import { expect, test } from 'vitest'
import { isOrderable, minimumStartDate, obviousContract } from '#domain/fsa/contract.ts'

test.each([
  ['2026-11-16', true],
  ['2026-11-15', true],
  ['2026-11-14', false],
])('on 2026-11-15, a contract that ends on %s can be ordered from: %s', (endDate, expected) => {
  expect(isOrderable({ endDate }, '2026-11-15')).toBe(expected)
})

test.each([
  ['2026-01-01', '2026-11-15'],
  ['2026-11-15', '2026-11-15'],
  ['2026-12-24', '2026-12-24'],
])('a contract from %s can be ordered from %s on', (startDate, first) => {
  expect(minimumStartDate({ startDate }, '2026-11-15')).toBe(first)
})

const full = { id: 'full', available: '10.00', fsaproducts: ['p'] }
const empty = { ...full, id: 'empty', available: '0.00' }
const bare = { ...full, id: 'bare', fsaproducts: [] }

test.each([
  ['the only one', [full], 'full'],
  ['the only one with money and products', [empty, full, bare], 'full'],
  ['none of two', [full, { ...full, id: 'other' }], undefined],
  ['none without money', [empty], undefined],
  ['none of none', [], undefined],
])('the contract to order from is %s', (_, contracts, expected) => {
  expect(obviousContract(contracts)?.id).toBe(expected)
})
