/** What other modules may use of entitlements. */
export { bookedOn, monthlyDraw } from '#server/modules/entitlements/booked-charges.queries.ts'
