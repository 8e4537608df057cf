import { countAccounts, distinctAccounts, getAccounts, getCustomerAccounts } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { activatedElasticServers, elasticDevice } from '#contract/elastic/elastic-servers.ts'
import { exportUsage } from '#contract/elastic/export-usage.ts'
import { countUsage, distinctUsage, fetchUsage } from '#contract/elastic/fetch-usage.ts'
import { lastUpdatedOn } from '#contract/elastic/last-updated-on.ts'
import {
  deleteUsageExport,
  downloadUsageExport,
  getUsageExport,
  listUsageExports,
  startUsageExport,
} from '#contract/elastic/usage-exports.ts'
import {
  exportActiveEntitlements,
  exportElasticEntitlements,
  exportInactiveEntitlements,
} from '#contract/entitlements/export-entitlements.ts'
import {
  countActiveEntitlements,
  countEntitlements,
  countInactiveEntitlements,
  distinctEntitlements,
  fetchActiveEntitlements,
  fetchEntitlements,
  fetchInactiveEntitlements,
} from '#contract/entitlements/fetch-entitlements.ts'
import { countFulfillments, fulfillmentHosts } from '#contract/entitlements/fulfillments.ts'
import { getEntitlements, getMonthlyDraw } from '#contract/entitlements/get-entitlements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import {
  countEmails,
  deleteEmail,
  distinctEmails,
  getEmail,
  getEmailAttachment,
  getEmailBody,
  getEmails,
  resendEmail,
} from '#contract/messages/emails.ts'
import {
  activeNotifications,
  countNotifications,
  distinctNotifications,
  getNotification,
  listNotifications,
  streamNotifications,
} from '#contract/messages/notifications.ts'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { getAccountSwitches, setAccountSwitches } from '#contract/settings/portal-access-switches.ts'
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
  fetchUsage,
  countUsage,
  distinctUsage,
  exportUsage,
  startUsageExport,
  listUsageExports,
  getUsageExport,
  downloadUsageExport,
  deleteUsageExport,
  lastUpdatedOn,
  elasticDevice,
  activatedElasticServers,
  getEntitlements,
  getMonthlyDraw,
  exportElasticEntitlements,
  fetchEntitlements,
  fetchActiveEntitlements,
  fetchInactiveEntitlements,
  countEntitlements,
  countActiveEntitlements,
  countInactiveEntitlements,
  distinctEntitlements,
  exportActiveEntitlements,
  exportInactiveEntitlements,
  countFulfillments,
  fulfillmentHosts,
  getEmails,
  countEmails,
  distinctEmails,
  getEmail,
  getEmailBody,
  getEmailAttachment,
  resendEmail,
  deleteEmail,
  activeNotifications,
  streamNotifications,
  listNotifications,
  countNotifications,
  distinctNotifications,
  getNotification,
  createAlert,
  editAlert,
  resolveAlert,
  environment,
  getBuildInfo,
  getFeatures,
  setFeatures,
  getPreferences,
  savePreferences,
  getPortalAccess,
  setPortalAccess,
  getAccountSwitches,
  setAccountSwitches,
]
