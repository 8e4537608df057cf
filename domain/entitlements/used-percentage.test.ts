import { expect, test } from 'vitest'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'

test.each([
  ['0', '1000', 0],
  ['0', '0', 0],
  ['5', '0', 0],
  ['-5', '1000', 0],
  ['0.01', '1000', 1],
  ['4.99', '1000', 1],
  ['14.99', '1000', 1],
  ['15', '1000', 2],
  ['499.99', '1000', 50],
  ['795', '1000', 80],
  ['794.99', '1000', 79],
  ['989.99', '1000', 99],
  ['995', '1000', 99],
  ['999.99', '1000', 99],
  ['1000', '1000', 100],
  ['1000.01', '1000', 100],
  ['5000', '1000', 100],
  // binary floating point would make 0.1 + 0.2 of 0.3 less or more than all of it
  ['0.3', '0.3', 100],
  [7501.5, 7501.5, 100],
])('%s of %s is %i %', (used, total, percentage) => {
  expect(usedPercentage(used, total)).toBe(percentage)
})

test('whole numbers give what exact decimals give', () => {
  for (let total = -2; total <= 400; total += 3)
    for (let used = -2; used <= total + 2; used++)
      expect([used, total, usedPercentage(used, total)]).toEqual([
        used,
        total,
        usedPercentage(String(used), String(total)),
      ])
})
