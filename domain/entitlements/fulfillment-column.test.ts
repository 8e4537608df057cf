import { expect, test } from 'vitest'
import { totalActivated } from '#domain/entitlements/fulfillment-column.ts'

test.each([
  ['Network', 25, 7, 7],
  ['Network', 25, 0, 0],
  ['Network', 25, undefined, undefined],
  ['Node Locked', 25, 7, 7],
  ['Shared Web', 25, 7, 25],
  ['Shared Web', 25, undefined, 25],
  ['Named User', 25, 0, 25],
  ['FSA', 25, 7, 7],
  ['FSA', 25, undefined, undefined],
] as const)('%s with quantity %s and %s on hosts shows %s', (group, quantity, onHosts, shown) => {
  expect(totalActivated(group, quantity, onHosts)).toBe(shown)
})
