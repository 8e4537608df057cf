/** What other modules may use of elastic. */
export {
  countAllRunningSessions,
  countDenialsSince,
  countRunningSessions,
  listAccountsOverdrawn,
  listAccountsWithDenials,
  listElasticBalances,
} from '#server/modules/elastic/attention.queries.ts'
export { opensPin } from '#server/modules/elastic/credentials.queries.ts'
export { unlockPinAs } from '#server/modules/elastic/pin-locks.ts'
export {
  countSessionsOnDays,
  listDenialReasons,
  listPeakSessions,
  listUnitsByProduct,
} from '#server/modules/elastic/product-use.queries.ts'
/** @public For Home. */
export { loadRunOutForecast } from '#server/modules/elastic/run-out.ts'
export { findElasticServers } from '#server/modules/elastic/search.queries.ts'
export { elasticServerData } from '#server/modules/elastic/server-records.queries.ts'
export { listSpending } from '#server/modules/elastic/spending.queries.ts'
export { usageData } from '#server/modules/elastic/usage-records.ts'
export {
  listMeteredAccounts,
  listUsageDrift,
  rebuildUsageSums,
  type UsageDrift,
} from '#server/modules/elastic/usage-sums.queries.ts'
