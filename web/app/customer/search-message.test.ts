import { expect, test } from 'vitest'
import { type SearchOutcome, searchMessage } from '#web/app/customer/search-message.ts'
import { ApiFailure } from '#web/lib/api-failure.ts'

const found = (count: number): SearchOutcome => ({
  state: 'found',
  accounts: Array.from({ length: count }, (_, index) => ({ number: String(index), name: 'Any' })),
})

test.each<[SearchOutcome, string | undefined]>([
  [{ state: 'idle' }, undefined],
  [{ state: 'searching' }, 'Loading...'],
  [{ state: 'invalid' }, 'Invalid filter text. Filter by account ID or name.'],
  [{ state: 'failed', failure: new ApiFailure(503, 'Not ready.') }, 'Not ready.'],
  [found(0), 'No account found.'],
  [found(1), undefined],
  [found(499), undefined],
  [found(500), 'Too many accounts found. Filter by account ID or name.'],
])('%o says %s', (outcome, message) => {
  expect(searchMessage(outcome)).toBe(message)
})
