import { queryOptions } from '@tanstack/react-query'
import { accountSearchFilter, MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import type { AccountSearch } from '#domain/accounts/account-search.ts'
import { call, type Data } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'

export type Account = { number: string; name: string }

/** Loaded again each time an account is selected. */
export function accountInfoQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['account-info', customerNumber],
    queryFn: async ({ signal }) => {
      try {
        return await call('getaccountinfo', { params: { customerNumber }, signal })
      } catch (error) {
        if (!signal.aborted) console.warn('failed to get extended account info', failureText(error))
        throw error
      }
    },
  })
}

/** Maximum number of accounts listed as "Your accounts". */
export const MAX_LISTED = 20

/** One more than is listed, to know whether there are more. */
export const firstAccountsQuery = queryOptions({
  queryKey: ['first-accounts'],
  queryFn: async ({ signal }) => {
    const body = { sorting: BY_NAME, limit: MAX_LISTED + 1 }
    return (await call('getaccounts', { body, signal })).map(toAccount)
  },
})

export async function searchAccounts(search: AccountSearch & { kind: 'exact' | 'contains' }): Promise<Account[]> {
  const filter = accountSearchFilter(search)
  const body = { filter, sorting: BY_NAME, limit: MAX_ACCOUNTS }
  const [first, all] = await Promise.all([searchById(search), call('getaccounts', { body })])
  const found = [...first, ...all.map(toAccount)]
  return [...new Map(found.map((account) => [account.number, account])).values()]
}

/** Accounts whose id begins with the typed digits come first. They may be missing among too many matches. */
async function searchById(search: AccountSearch): Promise<Account[]> {
  if (search.kind !== 'contains' || !/^\d+$/.test(search.text)) return []
  const filter = {
    condition: 'ALL' as const,
    criteria: [{ name: 'AccountID', method: 'STARTSWITH' as const, value: search.text }],
  }
  const sorting = [{ name: 'AccountID', direction: 'asc' as const }]
  return (await call('getaccounts', { body: { filter, sorting, limit: MAX_LISTED } })).map(toAccount)
}

const BY_NAME = [{ name: 'AccountName', direction: 'asc' as const }]

/** Kept on the server, so that they are the same in every browser. */
export const recentAccountsQuery = queryOptions({
  queryKey: ['recent-accounts'],
  queryFn: async ({ signal }) => (await call('getRecentAccounts', { signal })).map(toAccount),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Both fields are always set, because no call restricts the attributes. */
function toAccount({ AccountID = '', AccountName = '' }: Data<'getaccounts'>[number]): Account {
  return { number: AccountID, name: AccountName }
}
