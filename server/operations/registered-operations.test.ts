import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { checkRegistered } from '#server/operations/registered-operations.ts'

const names = OPERATIONS.map(({ name }) => name)

test('accepts the routes of all operations in the contract', () => {
  expect(() => checkRegistered(new Set(names))).not.toThrow()
})

test('an operation without a route stops the start', () => {
  expect(() => checkRegistered(new Set(names.slice(1)))).toThrow(`operations without a route: ${names[0]}`)
})

test('a route that is not in contract/operations.ts stops the start', () => {
  expect(() => checkRegistered(new Set([...names, 'fulfillments/forgotten']))).toThrow(
    'routed operations that are not in contract/operations.ts: fulfillments/forgotten. Add them there.',
  )
})
