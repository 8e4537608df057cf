/** What other modules may use of entitlements. */
export { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
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
