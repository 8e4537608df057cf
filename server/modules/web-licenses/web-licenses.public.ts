/** What other modules may use of web licenses. */
export { changeWebGroupMembers } from '#server/modules/web-licenses/change-groups.ts'
export { deleteWebUsers, saveWebUsers } from '#server/modules/web-licenses/change-users.ts'
export { countRunningWebCheckouts } from '#server/modules/web-licenses/checkouts.queries.ts'
export { lockSeatEntitlements } from '#server/modules/web-licenses/seat-claims.ts'
export { countAssigned, countSeatsOf } from '#server/modules/web-licenses/seats.queries.ts'
export {
  countWebDenials,
  listAccountsWithWebDenials,
  listStillDeniedCheckouts,
  type StillDeniedCheckouts,
} from '#server/modules/web-licenses/web-denials.queries.ts'
export { listGroups as listWebGroups } from '#server/modules/web-licenses/web-groups.queries.ts'
export { listWebOffers, type WebOfferRow } from '#server/modules/web-licenses/web-offers.queries.ts'
export { loadWebUse, readReportRange } from '#server/modules/web-licenses/web-use.ts'
export { listWebUserUse } from '#server/modules/web-licenses/web-user-use.queries.ts'
export {
  deleteWebUsers as removeWebUsers,
  findWebUsersByEmail,
  listWebUsers,
  listWebUsersNamed,
  searchWebUsers,
} from '#server/modules/web-licenses/web-users.queries.ts'
