/** What other modules may use of web licenses. */
export { countRunningWebCheckouts } from '#server/modules/web-licenses/checkouts.queries.ts'
export { countAssigned } from '#server/modules/web-licenses/seats.queries.ts'
export {
  countWebDenials,
  listAccountsWithWebDenials,
  listStillDeniedCheckouts,
  type StillDeniedCheckouts,
} from '#server/modules/web-licenses/web-denials.queries.ts'
export { loadWebUse, readReportRange } from '#server/modules/web-licenses/web-use.ts'
export { findWebUsersByEmail, searchWebUsers } from '#server/modules/web-licenses/web-users.queries.ts'
