import { expect, test } from 'vitest'
import { withCustomer } from '#web/lib/address/portal-address.ts'

test.each([
  ['/ssl', '100001', '/ssl?customer=100001'],
  ['/ssl?customer=100002', '100001', '/ssl?customer=100001'],
  ['/activations?id=7&action=EDIT#top', '100001', '/activations?id=7&action=EDIT&customer=100001#top'],
  ['/ssl', undefined, '/ssl'],
  ['/ssl?customer=100002', undefined, '/ssl'],
  ['/ssl', 'a b&c', '/ssl?customer=a+b%26c'],
])('%s with customer %s is %s', (address, number, expected) => {
  expect(withCustomer(address, number)).toBe(expected)
})
