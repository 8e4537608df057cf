import { expect, test } from 'vitest'
import { remainingAmount, spentPercentage } from '#domain/fsa/balance.ts'

test.each([
  ['1000', '0', '1000.00'],
  ['1000', '400.25', '599.75'],
  ['1000', '1000', '0.00'],
  ['1000', '1000.01', '0.00'],
])('of %s with %s used, %s remain', (price, used, remaining) => expect(remainingAmount(price, used)).toBe(remaining))

test.each([
  ['0', '0', 0],
  ['0', '5', 0],
  ['1000', '0', 0],
  ['1000', '0.01', 1],
  ['1000', '4.99', 1],
  ['1000', '555', 56],
  ['1000', '995', 99],
  ['1000', '999.99', 99],
  ['1000', '1000', 100],
  ['1000', '1500', 100],
])('of %s, %s used are %i percent', (price, used, percentage) => expect(spentPercentage(price, used)).toBe(percentage))
