import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api-client.ts'

export function accountHomeQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['home', customerNumber],
    queryFn: ({ signal }) => call('home', { body: { customerNumber }, signal }),
    // What was done on other screens, or by somebody else, must not stay on the list.
    staleTime: 0,
  })
}

export const accountsHomeQuery = queryOptions({
  queryKey: ['home-accounts'],
  queryFn: ({ signal }) => call('home/accounts', { signal }),
})
