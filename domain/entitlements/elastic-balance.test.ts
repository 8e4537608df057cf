import { describe, expect, test } from 'vitest'
import {
  overdrawnUnits,
  shownRemaining,
  totalUnits,
  unitsUsedPercentage,
} from '#domain/entitlements/elastic-balance.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'

describe('the balance of elastic units', () => {
  test.each([
    [10, '10000', '0', 100_000, 0],
    [1, '5000', '5000', 0, 100],
    [1, '5000', '5000.01', 0, 100],
    [1, '5000', '4999.99', 0.01, 99],
    [1, '5000', '4999.995', 0.01, 99],
    [1, '5000', '4999.994', 0.01, 99],
    [1, '5000', '0.01', 4999.99, 1],
    [1, '5000', '0.005', 5000, 1],
    [1, '5000', '0.006', 4999.99, 1],
    [3, '2500.5', '1234.56', 6266.94, 16],
    // corrections may exceed what was used: the bar stays empty, and no more is left than there was
    [1, '1000', '-20', 1000, 0],
    // rounding up must not give more than there is
    [1, '1000.005', '0', 1000.005, 0],
    [1, '999.99', '0', 999.99, 0],
    [0, '5000', '0', 0, 0],
    [5, '0', '12', 0, 0],
  ])('%i lines of %s with %s used leave %s, %i % used', (lines, unitsPerLine, used, remaining, percentage) => {
    expect(shownRemaining({ lines, unitsPerLine, used })).toBe(remaining)
    expect(unitsUsedPercentage({ lines, unitsPerLine, used })).toBe(percentage)
  })

  test.each([
    ['10000', '10248.29', 248.29],
    ['10000', '10000.01', 0.01],
    ['10000', '10000.004', 0],
    ['10000', '10000', 0],
    ['10000', '9999.99', 0],
    ['10000', '-20', 0],
    ['0', '12', 12],
  ])('%s units with %s used are overdrawn by %s', (unitsPerLine, used, overdrawn) => {
    expect(overdrawnUnits({ lines: 1, unitsPerLine, used })).toBe(overdrawn)
  })

  test('the total is exact', () => {
    expect(totalUnits({ lines: 3, unitsPerLine: '0.1' })).toBe('0.3')
  })
})

describe('the used percentage', () => {
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

  test('whole numbers give the same as exact decimals', () => {
    const differences: [used: number, total: number][] = []
    for (let total = -2; total <= 400; total += 3)
      for (let used = -2; used <= total + 2; used++)
        if (usedPercentage(used, total) !== usedPercentage(String(used), String(total))) differences.push([used, total])
    expect(differences).toEqual([])
  })
})
