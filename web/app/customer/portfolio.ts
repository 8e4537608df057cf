import { useQuery } from '@tanstack/react-query'
import { type Account, firstAccountsQuery, MAX_LISTED } from '#web/modules/accounts/accounts.api.ts'

/** The accounts that a person can choose from. */
export type Portfolio =
  | { state: 'asking' }
  | { state: 'failed'; failure: Error; retry(): void }
  | { state: 'none' }
  | { state: 'single'; account: Account }
  /** `accounts` is undefined if there are too many to list. */
  | { state: 'many'; accounts?: readonly Account[] }

export function usePortfolio(): Portfolio {
  const { data, error, refetch } = useQuery(firstAccountsQuery)
  if (data) return portfolioOf(data)
  if (error) return { state: 'failed', failure: error, retry: () => void refetch() }
  return { state: 'asking' }
}

function portfolioOf(accounts: readonly Account[]): Portfolio {
  const [first, second] = accounts
  if (!first) return { state: 'none' }
  if (!second) return { state: 'single', account: first }
  return accounts.length > MAX_LISTED ? { state: 'many' } : { state: 'many', accounts }
}
