import { expect, test } from 'vitest'
import { quantityError, savedQuantityError } from '#domain/activations/activated-quantity.ts'

test.each([
  [1, 5, undefined],
  [5, 5, undefined],
  [0, 5, 'Minimum is 1.'],
  [-3, 5, 'Minimum is 1.'],
  [0.5, 5, 'Minimum is 1.'],
  [null, 5, 'Minimum is 1.'],
  [Number.NaN, 5, 'Minimum is 1.'],
  [6, 5, 'Maximum is 5.'],
  [1251, 1250, 'Maximum is 1250.'],
  [Number.POSITIVE_INFINITY, 5, 'Maximum is 5.'],
  [1, 0, 'Maximum is 0.'],
  [1.5, 5, 'Enter a whole number.'],
])('%s of %s available: %s', (quantity, available, message) => {
  expect(quantityError(quantity, available)).toBe(message)
})

test.each([
  [5, 5, undefined],
  [6, 5, 'Activated number must be less or equal to Available number.'],
  [0, 5, 'Minimum is 1.'],
  [2.5, 5, 'Enter a whole number.'],
])('saving %s of %s available: %s', (quantity, available, message) => {
  expect(savedQuantityError(quantity, available)).toBe(message)
})
