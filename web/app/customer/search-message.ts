import { MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import { failureText } from '#web/lib/api-failure.ts'
import type { Account } from '#web/modules/accounts/accounts.api.ts'

/** How a search for an account stands. */
export type SearchOutcome =
  | { state: 'idle' }
  | { state: 'invalid' }
  | { state: 'searching' }
  | { state: 'failed'; failure: Error }
  | { state: 'found'; accounts: readonly Account[] }

export const isTooMany = (accounts: readonly Account[]) => accounts.length >= MAX_ACCOUNTS

/** The text under the search box; a list to choose from needs none. */
export function searchMessage(outcome: SearchOutcome): string | undefined {
  switch (outcome.state) {
    case 'idle':
      return undefined
    case 'invalid':
      return 'Invalid filter text. Filter by account ID or name.'
    case 'searching':
      return 'Loading...'
    case 'failed':
      return failureText(outcome.failure)
    case 'found':
      if (isTooMany(outcome.accounts)) return 'Too many accounts found. Filter by account ID or name.'
      return outcome.accounts.length === 0 ? 'No account found.' : undefined
  }
}
