import { countAccounts, distinctAccounts, getAccounts, getCustomerAccounts } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { activeNotifications } from '#contract/messages/notifications.ts'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { getPreferences, savePreferences } from '#contract/settings/preferences.ts'

/** Everything that can be said to the API. The server refuses to start with one missing, the access matrix walks all. */
export const OPERATIONS: readonly Operation[] = [
  getUserDetails,
  getAccounts,
  countAccounts,
  distinctAccounts,
  getCustomerAccounts,
  writableAccounts,
  getAccountInfo,
  activeNotifications,
  environment,
  getBuildInfo,
  getFeatures,
  setFeatures,
  getPreferences,
  savePreferences,
]
