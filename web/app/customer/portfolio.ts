import { useQuery } from '@tanstack/react-query'
import { type Account, firstAccountsQuery } from '#web/modules/accounts/accounts.api.ts'

/** What a person has to choose from. */
export type Portfolio =
  | { state: 'asking' }
  | { state: 'failed'; failure: Error; retry(): void }
  | { state: 'none' }
  | { state: 'single'; account: Account }
  | { state: 'many' }

export function usePortfolio(): Portfolio {
  const { data, error, refetch } = useQuery(firstAccountsQuery)
  if (data) return portfolioOf(data)
  if (error) return { state: 'failed', failure: error, retry: () => void refetch() }
  return { state: 'asking' }
}

function portfolioOf([first, second]: readonly Account[]): Portfolio {
  if (!first) return { state: 'none' }
  return second ? { state: 'many' } : { state: 'single', account: first }
}
