import { expect, test } from 'vitest'
import { type SearchOutcome, searchMessage } from '#web/form/entity-search.ts'
import { ApiError } from '#web/lib/api/api-error.ts'

const ACCOUNT = { name: ['account', 'accounts'], max: 500, hint: 'Filter by account ID or name.' } as const

const found = (count: number): SearchOutcome<object> => ({
  state: 'found',
  items: Array.from({ length: count }, (_, index) => ({ number: String(index) })),
})

test.each<[SearchOutcome<object>, string | undefined]>([
  [{ state: 'idle' }, undefined],
  [{ state: 'searching' }, 'Loading...'],
  [{ state: 'invalid' }, 'Invalid filter text. Filter by account ID or name.'],
  [{ state: 'failed', failure: new ApiError(503, 'Not ready.') }, 'Not ready.'],
  [found(0), 'No account found.'],
  [found(1), undefined],
  [found(499), undefined],
  [found(500), 'Too many accounts found. Filter by account ID or name.'],
])('%o says %s', (outcome, message) => {
  expect(searchMessage(ACCOUNT, outcome)).toBe(message)
})
