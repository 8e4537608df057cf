import { type SqlBool, sql } from 'kysely'
import { EXCLUDED_PRODUCTS } from '#domain/entitlements/excluded-products.ts'

const quoted = EXCLUDED_PRODUCTS.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ')

/**
 * The rows of `entitlement e` that an account holds: what decides about rights on it, and what the portal shows and
 * counts. Bookings against a spending account are rows of the same table but no licenses. Every query on entitlements
 * starts from this condition; it is constant text, so that the planner can use the index on deployed entitlements.
 */
export const LISTED_ENTITLEMENT = `(e.state = 'Deployed' and not e.is_manual and e.product_name not in (${quoted}))`

export const isListedEntitlement = sql.raw<SqlBool>(LISTED_ENTITLEMENT)
