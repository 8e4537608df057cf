import { sql } from 'kysely'
import { accountList } from '#contract/accounts/account-list.ts'
import { listSource } from '#server/lists/list-source.ts'
import { type AccountScope, visibleTo } from '#server/modules/accounts/accounts.queries.ts'

/** Accounts that one person sees. Staff share a scope, so that nothing about a token depends on who they are. */
export const accountSource = listSource(accountList, {
  columns: { AccountName: 'a.name', AccountID: 'a.customer_number' },
  from: sql`account a`,
  scope: (scope: AccountScope) => visibleTo(scope),
})
