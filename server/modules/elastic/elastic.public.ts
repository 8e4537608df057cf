/** What other modules may use of elastic. */
export { unlockPinAs } from '#server/modules/elastic/pin-locks.ts'
/** @public For Home. */
export { loadRunOutForecast } from '#server/modules/elastic/run-out.ts'
export {
  allowSlowStatements,
  listMeteredAccounts,
  listUsageDrift,
  rebuildUsageSums,
  type UsageDrift,
} from '#server/modules/elastic/usage-sums.queries.ts'
