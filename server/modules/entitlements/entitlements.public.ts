/** What other modules may use of entitlements. */

export {
  claimActivationIds,
  locateActivations,
  refuseForeignActivations,
} from '#server/modules/entitlements/activation-ids.queries.ts'
export {
  countEndingByDay,
  countMaintenanceEnded,
  endsAround,
  endsWithin,
  listAccountsWithEnding,
} from '#server/modules/entitlements/attention.queries.ts'
export { notifyOfEntitlements } from '#server/modules/entitlements/entitlement-events.ts'
export { entitlementData } from '#server/modules/entitlements/entitlement-records.ts'
export {
  bookedOn,
  contractEntitlements,
  drawnEntitlements,
  insertEntitlements,
  isActivatable,
  lockEntitlements,
  type SoldEntitlement,
  soldEntitlements,
} from '#server/modules/entitlements/entitlements.queries.ts'
export {
  findEntitlements,
  searchEntitlements,
  searchProducts,
} from '#server/modules/entitlements/search.queries.ts'
export {
  type CountSeats,
  contractRows,
  contractTable,
  noteChanges,
} from '#server/modules/entitlements/sold-records.queries.ts'
