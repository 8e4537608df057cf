import {
  activeEntitlementList,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments, fulfillmentHosts } from '#contract/entitlements/fulfillments.ts'
import { HttpError } from '#server/http/http-error.ts'
import { entitlementSource } from '#server/modules/entitlements/entitlement.list.ts'
import { entitlementScope, wholeScope } from '#server/modules/entitlements/entitlement-scope.ts'
import { toSeatsOnHost } from '#server/modules/entitlements/entitlements.mapping.ts'
import { exportLeases } from '#server/modules/entitlements/export-leases.ts'
import { activatedCounts, hostsWithSeats } from '#server/modules/entitlements/fulfillments.queries.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function entitlementsRoutes(route: Route): void {
  routeList(route, entitlementList, { source: entitlementSource, scope: ({ body }) => wholeScope(body) })
  routeList(route, activeEntitlementList, {
    source: entitlementSource,
    scope: (call) => entitlementScope(call, 'active'),
    exportCsv: (call) => exportLeases('active', call),
  })
  routeList(route, inactiveEntitlementList, {
    source: entitlementSource,
    scope: (call) => entitlementScope(call, 'inactive'),
    exportCsv: (call) => exportLeases('inactive', call),
  })

  route(countFulfillments, async ({ body, db }) => ({
    data: await activatedCounts(db, body.customerNumber, body.activationId),
  }))
  route(fulfillmentHosts, async ({ body, db }) => {
    const hosts = await hostsWithSeats(db, body.customerNumber, body.activationId)
    if (!hosts) throw new HttpError(404, `There is no activation ${body.activationId}`)
    return { data: hosts.map(toSeatsOnHost) }
  })
}
