/** What other modules may use of entitlements. */
export { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
export {
  countEndingByDay,
  countMaintenanceEnded,
  listAccountsWithEnding,
} from '#server/modules/entitlements/attention.queries.ts'
export {
  bookedOn,
  contractEntitlements,
  drawnEntitlements,
  insertEntitlements,
  isActivatable,
  loadMonthlyDraw,
  lockEntitlements,
  type SoldEntitlement,
  soldEntitlements,
} from '#server/modules/entitlements/entitlements.queries.ts'
export {
  findEntitlements,
  searchEntitlements,
  searchProducts,
} from '#server/modules/entitlements/search.queries.ts'
