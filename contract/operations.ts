import { accountList, customerAccountList } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { getRecentAccounts, noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { exportServers, getHistory, hostHistoryList, hostTimeline } from '#contract/activations/history/history.ts'
import { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import { getServer, listServers } from '#contract/activations/hosts/servers.ts'
import {
  deactivateSharedServer,
  overrideCustomers,
  removeSharedServer,
  serverCustomers,
  setSharedServer,
} from '#contract/activations/hosts/shared-server.ts'
import { uploadServerId } from '#contract/activations/hosts/upload-server-id.ts'
import {
  compareLicenseFiles,
  downloadLicense,
  emailLicense,
  generateLicense,
  getLicenseFile,
  listLicenseFiles,
  verifyLicense,
} from '#contract/activations/license-files/license-files.ts'
import { getPlan, getPlanFiles, listPlans, previewPlan, previewSave } from '#contract/activations/plans/host-plans.ts'
import {
  deactivateServer,
  forceReturn,
  regenerateFiles,
  rehostServer,
  renewEntitlements,
  saveActivations,
} from '#contract/activations/plans/start-plans.ts'
import { allEntitlements, serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { auditList, exportAuditLines, listAuditCheckpoints, startAuditExport } from '#contract/audit/audit.ts'
import { DATA_OPERATIONS } from '#contract/data/operations.ts'
import { REMOVED_OPERATIONS } from '#contract/data/removed-records.ts'
import {
  exportElasticEntitlements,
  getEntitlements,
  getMonthlyDraw,
} from '#contract/elastic/balances/elastic-entitlements.ts'
import {
  emailForecastFiles,
  exportForecast,
  getForecastPdf,
  getRunOutForecast,
} from '#contract/elastic/balances/run-out-forecast.ts'
import { changePin, getIps, getPin, getUsers, saveUsers, setIps } from '#contract/elastic/credentials/credentials.ts'
import { activatedElasticServers, elasticDevice } from '#contract/elastic/credentials/elastic-servers.ts'
import { listPinLocks, unlockPin } from '#contract/elastic/credentials/pin-locks.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { endSession, sendHeartbeat, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import {
  emailChargebackFiles,
  exportChargeback,
  getChargeback,
  getChargebackPdf,
} from '#contract/elastic/statements/chargeback.ts'
import {
  emailMonth,
  emailWeek,
  getMailedStatement,
  getStatementSchedule,
  mailedStatementList,
  saveStatementSchedule,
} from '#contract/elastic/statements/mailed-statements.ts'
import {
  emailStatementFiles,
  exportStatement,
  getStatement,
  getStatementPdf,
} from '#contract/elastic/statements/statements.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { emailUsageFiles, getUsagePdf, startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import {
  activeEntitlementList,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { contractList, listContracts } from '#contract/fsa/contracts.ts'
import { deleteDraft, listDrafts, quoteDraft, quoteDraftAsPdf, saveDraft } from '#contract/fsa/drafts.ts'
import { fsaEntitlementList, listFsaEntitlements } from '#contract/fsa/entitlements.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { getAccountHome, hideMatter, showMatter } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { licenseDenialList } from '#contract/license-use/denials.ts'
import {
  exportLicenseUse,
  getFeatureUse,
  getFreeSeats,
  getLicenseUse,
  getLicenseUsePdf,
  getLicenseUseSettings,
  getServiceFreeSeats,
  saveLicenseUseSettings,
} from '#contract/license-use/license-use.ts'
import { licenseLogList } from '#contract/license-use/logs.ts'
import { sendObservations, sendServiceObservations } from '#contract/license-use/observations.ts'
import { startLogUpload, uploadLogPart } from '#contract/license-use/uploads.ts'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { deleteEmail, getEmail, getEmailAttachment, getEmailBody, resendEmail } from '#contract/messages/emails.ts'
import { activeNotifications, getNotification, streamNotifications } from '#contract/messages/notifications.ts'
import { exportOptimization, getOptimization, getOptimizationPdf } from '#contract/optimization/optimization.ts'
import { failedMessageList, resendMessage } from '#contract/outbox/failed-messages.ts'
import {
  draftRenewalPlan,
  exportRenewalPlan,
  getPlanner,
  getRenewalPlanPdf,
  getWhatIf,
  listRenewalPlans,
  removeRenewalPlan,
  saveRenewalPlan,
} from '#contract/planner/planner.ts'
import {
  createCalendarFeed,
  getReminders,
  listCalendarFeeds,
  revokeCalendarFeed,
  setReminders,
} from '#contract/reminders/reminders.ts'
import {
  approveRequest,
  askRequest,
  askWebLicense,
  declineRequest,
  getOwnRequests,
  getRequestRules,
  requestList,
  saveRequestRules,
  withdrawOwnRequest,
  withdrawRequest,
} from '#contract/requests/requests.ts'
import { search } from '#contract/search/search.ts'
import { whoami } from '#contract/service/whoami.ts'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { getAccountSwitches, setAccountSwitches } from '#contract/settings/portal-access-switches.ts'
import { getPreferences, savePreferences } from '#contract/settings/preferences.ts'
import { addView, changeView, listViews, removeView } from '#contract/settings/table-views.ts'
import { startViewing, stopViewing } from '#contract/settings/view-as.ts'
import { getSetup } from '#contract/setup/get-setup.ts'
import { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import {
  createToken,
  getTokenPolicy,
  revokeToken,
  rollToken,
  saveTokenPolicy,
  tokenList,
} from '#contract/tokens/tokens.ts'
import { getUpkeep } from '#contract/upkeep/upkeep.ts'
import { assignWebLicenses, unassignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { checkInWebLicense, keepWebCheckout, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import {
  changeWebGroupMembers,
  createWebGroup,
  deleteWebGroup,
  renameWebGroup,
} from '#contract/web-licenses/web-groups.ts'
import {
  webEntitlementList,
  webGroupAssignmentList,
  webGroupList,
  webMemberList,
  webSeatList,
  webUserList,
} from '#contract/web-licenses/web-lists.ts'
import { exportWebReport, getWebReport, getWebReportPdf } from '#contract/web-licenses/web-report.ts'
import { deleteWebUsers, saveWebUsers } from '#contract/web-licenses/web-users.ts'
import {
  deliveryList,
  getDelivery,
  removeWebhook,
  replayDeliveries,
  resendDelivery,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
  webhookList,
} from '#contract/webhooks/webhooks.ts'

const operations = [
  getUserDetails,
  ...accountList.operations,
  ...customerAccountList.operations,
  writableAccounts,
  getRecentAccounts,
  noteOpenedAccount,
  getAccountInfo,
  getAccountHome,
  hideMatter,
  showMatter,
  getAccountsHome,
  getSetup,
  search,
  ...usageList.operations,
  startUsageExport,
  getUsagePdf,
  emailUsageFiles,
  lastUpdatedOn,
  elasticDevice,
  activatedElasticServers,
  getPin,
  changePin,
  getUsers,
  saveUsers,
  getIps,
  setIps,
  getEntitlements,
  getMonthlyDraw,
  exportElasticEntitlements,
  getRunOutForecast,
  exportForecast,
  getForecastPdf,
  emailForecastFiles,
  ...denialList.operations,
  listPinLocks,
  unlockPin,
  startSession,
  sendHeartbeat,
  endSession,
  sendUsage,
  getStatement,
  getStatementPdf,
  exportStatement,
  emailStatementFiles,
  getChargeback,
  exportChargeback,
  getChargebackPdf,
  emailChargebackFiles,
  emailWeek,
  emailMonth,
  ...mailedStatementList.operations,
  getMailedStatement,
  getStatementSchedule,
  saveStatementSchedule,
  ...entitlementList.operations,
  ...activeEntitlementList.operations,
  ...inactiveEntitlementList.operations,
  countFulfillments,
  uploadServerId,
  listServers,
  getServer,
  fulfillmentHosts,
  serverEntitlements,
  allEntitlements,
  createFulfillments,
  returnFulfillments,
  serverCustomers,
  overrideCustomers,
  setSharedServer,
  deactivateSharedServer,
  removeSharedServer,
  previewPlan,
  getPlan,
  getPlanFiles,
  listPlans,
  saveActivations,
  rehostServer,
  deactivateServer,
  forceReturn,
  renewEntitlements,
  regenerateFiles,
  generateLicense,
  downloadLicense,
  emailLicense,
  listLicenseFiles,
  getLicenseFile,
  compareLicenseFiles,
  previewSave,
  verifyLicense,
  ...hostHistoryList.operations,
  getHistory,
  exportServers,
  hostTimeline,
  orderEntitlements,
  listContracts,
  listFsaEntitlements,
  ...contractList.operations,
  ...fsaEntitlementList.operations,
  ...historyList.operations,
  listDrafts,
  saveDraft,
  deleteDraft,
  quoteDraft,
  quoteDraftAsPdf,
  ...webEntitlementList.operations,
  ...webSeatList.operations,
  ...webUserList.operations,
  ...webGroupList.operations,
  ...webMemberList.operations,
  ...webGroupAssignmentList.operations,
  ...webCheckoutList.operations,
  ...webDenialList.operations,
  assignWebLicenses,
  unassignWebLicenses,
  createWebGroup,
  renameWebGroup,
  deleteWebGroup,
  changeWebGroupMembers,
  saveWebUsers,
  deleteWebUsers,
  startWebCheckout,
  keepWebCheckout,
  checkInWebLicense,
  getWebReport,
  exportWebReport,
  getWebReportPdf,

  getOptimization,
  getLicenseUse,
  exportLicenseUse,
  getLicenseUsePdf,
  ...licenseDenialList.operations,
  ...licenseLogList.operations,
  getFeatureUse,
  getFreeSeats,
  getServiceFreeSeats,
  getLicenseUseSettings,
  saveLicenseUseSettings,
  sendObservations,
  sendServiceObservations,
  uploadLogPart,
  startLogUpload,
  exportOptimization,
  getOptimizationPdf,
  ...emailList.operations,
  getEmail,
  getEmailBody,
  getEmailAttachment,
  resendEmail,
  deleteEmail,
  activeNotifications,
  streamNotifications,
  ...alertList.operations,
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
  listViews,
  addView,
  changeView,
  removeView,
  getPortalAccess,
  setPortalAccess,
  getAccountSwitches,
  setAccountSwitches,
  getPlanner,
  getWhatIf,
  listRenewalPlans,
  saveRenewalPlan,
  removeRenewalPlan,
  exportRenewalPlan,
  getRenewalPlanPdf,
  draftRenewalPlan,
  startViewing,
  stopViewing,
  ...requestList.operations,
  askRequest,
  withdrawRequest,
  approveRequest,
  declineRequest,
  getRequestRules,
  saveRequestRules,
  getOwnRequests,
  askWebLicense,
  withdrawOwnRequest,
  getReminders,
  setReminders,
  listCalendarFeeds,
  createCalendarFeed,
  revokeCalendarFeed,
  ...tokenList.operations,
  createToken,
  rollToken,
  revokeToken,
  getTokenPolicy,
  saveTokenPolicy,
  ...webhookList.operations,
  saveWebhook,
  rotateWebhookSecret,
  removeWebhook,
  testWebhook,
  ...deliveryList.operations,
  getDelivery,
  resendDelivery,
  replayDeliveries,
  whoami,
  ...auditList.operations,
  startAuditExport,
  exportAuditLines,
  listAuditCheckpoints,
  ...DATA_OPERATIONS,
  ...REMOVED_OPERATIONS,
  listTasks,
  getTask,
  downloadTask,
  deleteTask,
  ...failedMessageList.operations,
  resendMessage,
  getUpkeep,
] as const satisfies readonly Operation[]

export type OperationName = (typeof operations)[number]['name']

/**
 * Every operation of the API. The server starts only with exactly these routes, and the access matrix walks all of
 * them.
 */
export const OPERATIONS: readonly Operation[] = operations
