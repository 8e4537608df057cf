import { expect, test } from 'vitest'
import { isExcludedProduct } from '#domain/entitlements/excluded-products.ts'

test.each([
  ['Flexible Spending Account Manual Drawdown', true],
  ['Ansys Flexible Spending Account Manual Drawdown', true],
  ['Flexible Spending Account', false],
  ['flexible spending account manual drawdown', false],
  ['Flexible Spending Account Manual Drawdown 2', false],
  ['', false],
])('%j is kept out of lists: %s', (productName, excluded) => {
  expect(isExcludedProduct(productName)).toBe(excluded)
})
