import { expect, test } from 'vitest'
import { ORDER_DONE, ORDER_INCOMPLETE } from '#domain/fsa/order-texts.ts'

test('the result of an order has the texts of the specification', () => {
  expect(ORDER_DONE).toBe('Entitlements successfully created.')
  expect(ORDER_INCOMPLETE).toBe(
    'Some entitlements were not successfully created. Please check for errors and try again.',
  )
})
