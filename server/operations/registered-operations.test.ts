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

test('a route of an operation that no module lists stops the start', () => {
  expect(() => checkRegistered(new Set([...names, 'fulfillments/forgotten']))).toThrow(
    'routed operations that no contract/<module>/<module>.operations.ts has: fulfillments/forgotten. Add their files there.',
  )
})
