import { expect, test } from 'vitest'
import { isOrderable, minimumStartDate, newestContract } from '#domain/fsa/contract.ts'

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

const full = { id: 'full', available: '10.00', fsaproducts: ['p'], StartDate: '2026-01-01' }
const empty = { ...full, id: 'empty', available: '0.00' }
const bare = { ...full, id: 'bare', fsaproducts: [] }

test.each([
  ['the only one', [full], 'full'],
  ['the only one with money and products', [empty, full, bare], 'full'],
  ['the newest of two', [full, { ...full, id: 'newer', StartDate: '2026-02-01' }], 'newer'],
  ['one that has begun', [full, { ...full, id: 'next', StartDate: '2026-04-01' }], 'full'],
  ['none without money', [empty], undefined],
  ['none of none', [], undefined],
])('the contract to order from is %s', (_, contracts, expected) => {
  expect(newestContract(contracts, '2026-03-01')?.id).toBe(expected)
})
