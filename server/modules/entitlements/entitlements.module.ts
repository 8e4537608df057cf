import {
  activeEntitlementList,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { entitlementScope, entitlementSource, wholeScope } from '#server/modules/entitlements/entitlement.list.ts'
import { loadActivatedCounts } from '#server/modules/entitlements/entitlements.queries.ts'
import { exportLeases } from '#server/modules/entitlements/export-leases.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export const entitlementsModule: Module = {
  name: 'entitlements',
  mayUse: ['accounts'],
  routes,
}

function routes(route: Route): void {
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
    data: await loadActivatedCounts(db, body.customerNumber, body.activationId),
  }))
}
