import { queryOptions } from '@tanstack/react-query'
import { accountList, accountSearchFilter, MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import type { AccountSearch } from '#domain/accounts/account-search.ts'
import { call } from '#web/lib/api-client.ts'
import { failureText } from '#web/lib/api-failure.ts'

export type Account = { number: string; name: string }

/** Kept for as long as it takes until somebody reads it; whoever selects another account forgets this one. */
export function accountInfoQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['account-info', customerNumber],
    queryFn: async ({ signal }) => {
      try {
        return await call(getAccountInfo, { params: { customerNumber }, signal })
      } catch (error) {
        if (!signal.aborted) console.warn('failed to get extended account info', failureText(error))
        throw error
      }
    },
  })
}

/** Two are enough to know whether a person has no account, exactly one, or a choice. */
export const firstAccountsQuery = queryOptions({
  queryKey: ['first-accounts'],
  queryFn: async ({ signal }) => (await call(accountList.page, { body: { limit: 2 }, signal })).map(loadAccount),
})

export async function searchAccounts(search: AccountSearch & { kind: 'exact' | 'contains' }): Promise<Account[]> {
  const filter = accountSearchFilter(search)
  const sorting = [{ name: 'AccountName', direction: 'asc' as const }]
  return (await call(accountList.page, { body: { filter, sorting, limit: MAX_ACCOUNTS } })).map(loadAccount)
}

/** Both fields are there, because neither call names attributes. */
function loadAccount({ AccountID = '', AccountName = '' }: DataOf<typeof accountList.page>[number]): Account {
  return { number: AccountID, name: AccountName }
}
