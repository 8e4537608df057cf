import { expect, it } from 'vitest'
import { CATALOG, FSA_CURRENCIES, FSA_PERIODS, fsaPriceInCents, MANUAL_DRAWDOWN } from '#server/demo/products.ts'

it('the catalog covers every daemon, with network and node-locked products', () => {
  expect(CATALOG.length).toBeGreaterThanOrEqual(40)
  expect(new Set(CATALOG.map(({ daemon }) => daemon)).size).toBe(5)
  expect(CATALOG.some(({ isNodeLocked }) => isNodeLocked)).toBe(true)
  for (const { featureNames } of CATALOG) {
    expect(featureNames.length).toBeGreaterThanOrEqual(1)
    expect(featureNames.length).toBeLessThanOrEqual(4)
  }
})

it('some products have no price for a year, and some only for two periods', () => {
  const priced = CATALOG.filter(({ monthly }) => monthly !== undefined)
  const offered = priced.map((product) => FSA_PERIODS.filter((days) => fsaPriceInCents(product, 'USD', days)))
  expect(offered.some((periods) => !periods.includes(365) && periods.length > 3)).toBe(true)
  expect(offered.some((periods) => periods.length === 2)).toBe(true)
  expect(offered.some((periods) => periods.length === FSA_PERIODS.length)).toBe(true)
})

it('prices are whole cents, and longer periods cost more', () => {
  for (const product of CATALOG) {
    for (const currency of FSA_CURRENCIES) {
      const prices = FSA_PERIODS.flatMap((days) => fsaPriceInCents(product, currency, days) ?? [])
      expect(prices.every(Number.isInteger)).toBe(true)
      expect(prices).toEqual([...prices].sort((a, b) => a - b))
    }
  }
})

it('manual drawdowns have the part number that the screens expect', () => {
  expect(MANUAL_DRAWDOWN.partNumber).toBe('FSA0030216')
})
