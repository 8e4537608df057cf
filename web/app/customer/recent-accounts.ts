import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#web/lib/api/api-client.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { type Account, recentAccountsQuery } from '#web/modules/accounts/accounts.api.ts'

const SHOWN = 8

/** The accounts that this person opened last, newest first; undefined while they load. */
export function useRecentAccounts(): { recent: readonly Account[] | undefined; remember(account: Account): void } {
  const queries = useQueryClient()
  const { data, isError } = useQuery(recentAccountsQuery)
  const isViewing = useSignedIn().user.viewedBy !== null
  const remember = useCallback(
    (account: Account) => {
      // The list is the contact's, and staff who view the portal as the contact change nothing.
      if (isViewing) return
      const { queryKey } = recentAccountsQuery
      queries.setQueryData(queryKey, (before) => before && [...withNewest(before, account)])
      // A convenience only: without it the account is missing in the list.
      call('noteOpenedAccount', { body: { customerNumber: account.number } }).catch(() => undefined)
    },
    [queries, isViewing],
  )
  return { recent: data ?? (isError ? [] : undefined), remember }
}

export function withNewest(recent: readonly Account[], account: Account): readonly Account[] {
  return [account, ...recent.filter((one) => one.number !== account.number)].slice(0, SHOWN)
}
