import { queryOptions } from '@tanstack/react-query'
import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import { call } from '#web/lib/api-client.ts'

export function accountHomeQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['home', customerNumber],
    queryFn: ({ signal }) => call(getAccountHome, { body: { customerNumber }, signal }),
  })
}

export const accountsHomeQuery = queryOptions({
  queryKey: ['home-accounts'],
  queryFn: ({ signal }) => call(getAccountsHome, { signal }),
})
