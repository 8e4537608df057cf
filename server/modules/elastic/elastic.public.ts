/** What other modules may use of elastic. */
export {
  countAllRunningSessions,
  countDenialsSince,
  countRunningSessions,
  findLastElasticEnd,
  listAccountsOverdrawn,
  listAccountsWithDenials,
  listElasticBalances,
} from '#server/modules/elastic/balances/attention.queries.ts'
export {
  countSessionsOnDays,
  listDenialReasons,
  listPeakSessions,
  listUnitsByProduct,
} from '#server/modules/elastic/balances/product-use.queries.ts'
/** @public For Home. */
export { loadRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
export { listSpending } from '#server/modules/elastic/balances/spending.queries.ts'
export { opensPin } from '#server/modules/elastic/credentials/credentials.queries.ts'
export {
  findElasticServers,
  findUsageArrivals,
  searchElasticServers,
} from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
export { listAllPinLocks, listEndedPinLocks, unlockPinAs } from '#server/modules/elastic/credentials/pin-locks.ts'
export { elasticServerData } from '#server/modules/elastic/credentials/server-records.queries.ts'
export { limitData } from '#server/modules/elastic/limits/limit-records.ts'
export { listReachedLimits } from '#server/modules/elastic/limits/reached-limits.ts'
export { searchDenied } from '#server/modules/elastic/sessions/denials.queries.ts'
export { listStillDenied } from '#server/modules/elastic/sessions/still-denied.ts'
export {
  archiveMonth,
  detachMonth,
  planArchive,
  planDetach,
  restoreMonth,
} from '#server/modules/elastic/usage/archive-usage.ts'
export { findArchivedBefore } from '#server/modules/elastic/usage/usage-archive.queries.ts'
export { listUsageMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
export { usageData } from '#server/modules/elastic/usage/usage-records.ts'
export { searchProjects } from '#server/modules/elastic/usage/usage-report.queries.ts'
export {
  listMeteredAccounts,
  listUsageDrift,
  rebuildUsageSums,
  type UsageDrift,
} from '#server/modules/elastic/usage/usage-sums.queries.ts'
