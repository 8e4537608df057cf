import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { OPERATIONS_IN_ROWS, ROWS } from '#server/testing/access-rows.ts'

const FILE = 'server/testing/access-rows.ts'
const names = OPERATIONS.map(({ name }) => name)

test('every operation has a row in the access matrix', () => {
  const missing = names.filter((name) => !(name in ROWS))
  const lines = missing.map((name) => `  '${name}': on(everyone, { … }),`)
  const advice = `Say in ${FILE}, in ROWS, who gets what from it (on an account, signedIn, service, …):`
  expect(missing, `${advice}\n${lines.join('\n')}\n`).toEqual([])
})

test('every row of the access matrix has an operation', () => {
  const unknown = Object.keys(ROWS).filter((name) => !names.includes(name))
  expect(unknown, `Remove from ${FILE} what is not in contract/operations.ts.`).toEqual([])
})

test('the matrix tries lists of accounts on every operation that names a list', () => {
  const listing = OPERATIONS_IN_ROWS.filter(({ operation }) => operation.access.kind === 'accounts')
  const tried = OPERATIONS_IN_ROWS.filter(({ row: { kind } }) => typeof kind === 'object' && kind.on === 'accounts')
  expect(tried.map(({ name }) => name)).toEqual(listing.map(({ name }) => name))
  expect(listing.length).toBeGreaterThan(0)
})
