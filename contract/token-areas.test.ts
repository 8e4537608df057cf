import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { areasOf } from '#domain/tokens/token-areas.ts'

const forPeople = OPERATIONS.filter(({ access }) => access.kind !== 'service' && access.kind !== 'public')

test('every operation has an area for tokens, or is named as not for tokens', () => {
  const missing = forPeople.filter(({ name }) => areasOf(name) === undefined).map(({ name }) => name)
  expect(missing, 'Add them to AREA_OF_OPERATIONS in domain/tokens/token-areas.ts; null if for people only.').toEqual(
    [],
  )
})

test('every operation that tokens can call names the account', () => {
  const unnamed = forPeople.filter(
    ({ name, access }) => areasOf(name)?.length && access.kind !== 'account' && access.kind !== 'accounts',
  )
  expect(unnamed.map(({ name }) => name)).toEqual([])
})

test('no token can call an operation that manages tokens or serves the vendor', () => {
  const open = OPERATIONS.filter(({ name, access }) => name.startsWith('tokens') || access.kind === 'service')
  expect(open.filter(({ name }) => areasOf(name)?.length).map(({ name }) => name)).toEqual([])
  expect(open.length).toBeGreaterThan(6)
})
