/** What other modules may use of entitlements. */
export { bookedOn, monthlyDraw } from '#server/modules/entitlements/booked-charges.queries.ts'
export {
  isActivatable,
  lockEntitlements,
  type SoldEntitlement,
  soldEntitlements,
} from '#server/modules/entitlements/sold-entitlements.queries.ts'
