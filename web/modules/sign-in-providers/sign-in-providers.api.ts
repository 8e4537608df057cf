import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SignInProvider } from '#contract/sign-in-providers/sign-in-providers.ts'
import { query } from '#web/lib/api/api-query.ts'

/** Loaded again when the person comes back from a test in another tab. */
export const signInProviderQuery = (customerNumber: string) =>
  queryOptions({
    ...query('sign-in-provider', { body: { customerNumber } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

export function keepSignInProvider(queries: QueryClient, customerNumber: string, saved: SignInProvider): void {
  queries.setQueryData(signInProviderQuery(customerNumber).queryKey, saved)
}

export const reloadSignInProvider = (queries: QueryClient, customerNumber: string) =>
  queries.invalidateQueries({ queryKey: signInProviderQuery(customerNumber).queryKey })
