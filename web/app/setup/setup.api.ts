import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SetupState } from '#domain/setup/setup-steps.ts'
import { query } from '#web/lib/api/api-query.ts'

/** Polling interval in milliseconds, while the page waits for the operator. */
const BETWEEN_LOOKS = 5_000

const setupQuery = queryOptions({
  ...query('setup'),
  refetchInterval: ({ state }) => (state.data?.state === 'ready' ? false : BETWEEN_LOOKS),
})

/**
 * `shown` is the state that the page assumes from the accounts and roles that it has loaded. If the operator has done a
 * step since, they are loaded again.
 */
export function useSetup(shown: SetupState) {
  const { data, error, refetch } = useQuery(setupQuery)
  const queries = useQueryClient()
  const state = data?.state
  useEffect(() => {
    if (state !== undefined && state !== shown)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'setup' })
  }, [queries, shown, state])
  return { state, command: data?.command ?? '', error, refetch }
}
