import type { Tables } from '#server/db/tables.ts'

export const entitlementsTables: Tables = {
  // Triggers of elastic usage keep `usage_total`, what is booked on an entitlement.
  owns: ['entitlement', 'activation_owner', 'usage_total'],
}
