import {
  exportActiveEntitlements,
  exportElasticEntitlements,
  exportInactiveEntitlements,
} from '#contract/entitlements/export-entitlements.ts'
import {
  countActiveEntitlements,
  countEntitlements,
  countInactiveEntitlements,
  distinctEntitlements,
  fetchActiveEntitlements,
  fetchEntitlements,
  fetchInactiveEntitlements,
} from '#contract/entitlements/fetch-entitlements.ts'
import { countFulfillments, fulfillmentHosts } from '#contract/entitlements/fulfillments.ts'
import { getEntitlements, getMonthlyDraw } from '#contract/entitlements/get-entitlements.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPageJson } from '#server/lists/list-page.ts'
import { monthlyDraw } from '#server/modules/entitlements/booked-charges.queries.ts'
import { elasticAnswer } from '#server/modules/entitlements/elastic-entitlements.ts'
import { type EntitlementScope, entitlementList } from '#server/modules/entitlements/entitlement.list.ts'
import { entitlementScope, wholeScope } from '#server/modules/entitlements/entitlement-scope.ts'
import { toSeatsOnHost } from '#server/modules/entitlements/entitlements.mapping.ts'
import { exportElastic } from '#server/modules/entitlements/export-elastic.ts'
import { exportLeases } from '#server/modules/entitlements/export-leases.ts'
import { activatedCounts, hostsWithSeats } from '#server/modules/entitlements/fulfillments.queries.ts'
import { Problem } from '#server/plugins/problem.ts'
import { type Call, ReadyJson, type Route } from '#server/plugins/route.ts'

export function entitlementsRoutes(route: Route): void {
  route(getEntitlements, async ({ body, db }) => {
    return new ReadyJson(`{"status":"SUCCESS","data":${await elasticAnswer(db, body.customerNumber)}}`)
  })
  route(getMonthlyDraw, async ({ body, db }) => ({
    data: await monthlyDraw(db, body.customerNumber, body.activationId),
  }))
  route(exportElasticEntitlements, exportElastic)

  route(fetchEntitlements, (call) => page(call, wholeScope(call.body)))
  route(fetchActiveEntitlements, (call) => page(call, entitlementScope(call, 'active')))
  route(fetchInactiveEntitlements, (call) => page(call, entitlementScope(call, 'inactive')))
  route(countEntitlements, (call) => count(call, wholeScope(call.body)))
  route(countActiveEntitlements, (call) => count(call, entitlementScope(call, 'active')))
  route(countInactiveEntitlements, (call) => count(call, entitlementScope(call, 'inactive')))
  route(distinctEntitlements, async ({ body, db }) => {
    const data = await fetchDistinct(db, entitlementList, wholeScope(body), body)
    return { data: data as (string | number | null)[], token: null }
  })
  route(exportActiveEntitlements, (call) => exportLeases('active', call))
  route(exportInactiveEntitlements, (call) => exportLeases('inactive', call))

  route(countFulfillments, async ({ body, db }) => ({
    data: await activatedCounts(db, body.customerNumber, body.activationId),
  }))
  route(fulfillmentHosts, async ({ body, db }) => {
    const hosts = await hostsWithSeats(db, body.customerNumber, body.activationId)
    if (!hosts) throw new Problem(404, `There is no activation ${body.activationId}`)
    return { data: hosts.map(toSeatsOnHost) }
  })
}

type PageCall = Pick<Call<typeof fetchEntitlements>, 'body' | 'db' | 'services'>

async function page({ body, db, services }: PageCall, scope: EntitlementScope): Promise<ReadyJson> {
  const reading = { tokens: services.tokens, prepared: services.pages }
  const { json, token } = await fetchPageJson(db, entitlementList, scope, body, reading)
  return new ReadyJson(`{"status":"SUCCESS","data":${json},"token":${JSON.stringify(token)}}`)
}

async function count({ body, db }: Pick<Call<typeof countEntitlements>, 'body' | 'db'>, scope: EntitlementScope) {
  return { data: await fetchCount(db, entitlementList, scope, body) }
}
