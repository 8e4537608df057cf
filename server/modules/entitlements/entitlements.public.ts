/** What other modules may use of entitlements. */
export { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
export { bookedOn, loadMonthlyDraw } from '#server/modules/entitlements/booked-charges.queries.ts'
export {
  isActivatable,
  lockEntitlements,
  type SoldEntitlement,
  soldEntitlements,
} from '#server/modules/entitlements/sold-entitlements.queries.ts'
export {
  contractEntitlements,
  drawnEntitlements,
  insertEntitlements,
} from '#server/modules/entitlements/spending-accounts.queries.ts'
