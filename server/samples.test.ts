import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { OPERATIONS_IN_ROWS, ROWS, SAMPLES } from '#server/testing/samples/samples.ts'

const names = OPERATIONS.map(({ name }) => name)

test('every operation has a sample', () => {
  const missing = names.filter((name) => !(name in ROWS))
  const lines = missing.map((name) => `  '${name}': on(everyone, { … }),`)
  const advice =
    'Say in <module>.samples.ts of its module, in rows, who gets what from it (on an account, signedIn, …):'
  expect(missing, `${advice}\n${lines.join('\n')}\n`).toEqual([])
})

test('every sample has an operation, and only one module says it', () => {
  const said = SAMPLES.flatMap(({ rows }) => Object.keys(rows))
  const advice = 'Remove from <module>.samples.ts what is not in contract/operations.ts, or what another module says.'
  expect(said.toSorted(), advice).toEqual(names.filter((name) => name in ROWS).toSorted())
})

test('the matrix tries lists of accounts on every operation that names a list', () => {
  const listing = OPERATIONS_IN_ROWS.filter(({ operation }) => operation.access.kind === 'accounts')
  const tried = OPERATIONS_IN_ROWS.filter(({ row: { kind } }) => typeof kind === 'object' && kind.on === 'accounts')
  expect(tried.map(({ name }) => name)).toEqual(listing.map(({ name }) => name))
  expect(listing.length).toBeGreaterThan(0)
})
