import * as accountList from '#contract/accounts/account-list.ts'
import * as getAccountInfo from '#contract/accounts/get-account-info.ts'
import * as getUserDetails from '#contract/accounts/get-user-details.ts'
import * as recentAccounts from '#contract/accounts/recent-accounts.ts'
import * as writableAccounts from '#contract/accounts/writable-accounts.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const accountsOperations = operationsOf(
  accountList,
  getAccountInfo,
  getUserDetails,
  recentAccounts,
  writableAccounts,
)
